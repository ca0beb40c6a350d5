import type { Employee, Id } from '@caseway/kit/caller'
import { matches, type RuleCondition, type RuledMessage } from './mail-folder-rule.js'
import type { MailFolderRuleRepository } from './mail-folder-rule.repository.js'

/** The number of messages with which a rule is tried. */
const tried = 100

interface RecentMessage extends RuledMessage {
  readonly id: Id
}

/** The newest messages of a user's mailboxes to which rules apply. Headers are read only `withHeaders`: they have to be parsed from the stored bytes. */
export type RecentMessages = (
  customerId: Id,
  userId: Id,
  limit: number,
  options: { readonly withHeaders: boolean },
) => Promise<readonly RecentMessage[]>

export const mailFolderRuleService = (rules: MailFolderRuleRepository, recent: RecentMessages) => ({
  ...rules,

  /** The ids of those of the newest messages that the rule matches. Nothing is moved. */
  async test(caller: Employee, id: Id): Promise<Id[]> {
    const { conditions } = await rules.get(caller, id)
    const rule = { conditions: JSON.parse(conditions) as readonly RuleCondition[] }
    const withHeaders = rule.conditions.some(({ field }) => field === 'header')
    const messages = await recent(caller.customerId, caller.userId, tried, { withHeaders })
    return messages.filter((message) => matches(rule, message)).map((message) => message.id)
  },
})
