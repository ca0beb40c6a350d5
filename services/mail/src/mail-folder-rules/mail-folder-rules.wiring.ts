import { action, type Routes, resourceRoutes } from '@caseway/kit/http'
import Type from 'typebox'
import type { Db } from '../database.js'
import { type KeepFolders, mailFolderRuleRepository } from './mail-folder-rule.repository.js'
import { mailFolderRuleResource } from './mail-folder-rule.resource.js'
import { mailFolderRuleService, type RecentMessages } from './mail-folder-rule.service.js'

interface Parts {
  readonly keepFolders: KeepFolders
  readonly recent: RecentMessages
}

const tested = Type.Object(
  { MailFolderRuleTest: Type.Object({ matched: Type.Integer(), messages: Type.Array(Type.String({ description: 'Id.' })) }) },
  { description: 'The messages that match.' },
)

/** The rules by which users sort incoming messages. */
export function wireMailFolderRules(db: Db, { keepFolders, recent }: Parts) {
  const rows = mailFolderRuleRepository(db, keepFolders)
  const rules = mailFolderRuleService(rows, recent)
  const test: Routes = action(
    mailFolderRuleResource,
    {
      ...{ method: 'POST', path: ':id/test', operationId: 'testMailFolderRule', answers: { 200: tested }, idempotency: 'none' },
      summary: 'Tests a rule with the last 100 messages of the caller’s mailboxes to which rules apply, without moving them.',
    },
    async ({ caller, id }) => {
      const messages = await rules.test(caller, id)
      return { MailFolderRuleTest: { matched: messages.length, messages: messages.map(String) } }
    },
  )
  return { rules: rows, routes: [resourceRoutes(mailFolderRuleResource, rules), test] as Routes }
}
