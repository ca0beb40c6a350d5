import type { Employee, Id } from '@caseway/kit/caller'
import { matches, type RuleCondition, type RuledMessage } from './mail-folder-rule.js'
import type { MailFolderRuleRepository } from './mail-folder-rule.repository.js'

/** How many messages a rule is tried with. */
const tried = 100

interface RecentMessage extends RuledMessage {
  readonly id: Id
}

/** The newest messages of the mailboxes of a user that rules sort. Their headers are there where they are asked for: they have to be read from the bytes. */
export type RecentMessages = (
  customerId: Id,
  userId: Id,
  limit: number,
  options: { readonly withHeaders: boolean },
) => Promise<readonly RecentMessage[]>

export const mailFolderRuleService = (rules: MailFolderRuleRepository, recent: RecentMessages) => ({
  ...rules,

  /** Which of the last messages a rule would have sorted. Nothing is moved. */
  async test(caller: Employee, id: Id): Promise<Id[]> {
    const { conditions } = await rules.get(caller, id)
    const rule = { conditions: JSON.parse(conditions) as readonly RuleCondition[] }
    const withHeaders = rule.conditions.some(({ field }) => field === 'header')
    const messages = await recent(caller.customerId, caller.userId, tried, { withHeaders })
    return messages.filter((message) => matches(rule, message)).map((message) => message.id)
  },
})
