import { recordEncoder } from '@caseway/kit/http'
import { linkableMessages } from '../attached-files/linkable-messages.service.js'
import type { Db, Tx } from '../database.js'
import type { ChangeFolderCounts } from '../folder-counts/folder-count.js'
import type { LinkedCases } from '../linked-cases/linked-case.js'
import { isMailRole } from '../mail-servers/mail-roles.js'
import type { Sending } from './sending.js'
import { type SentMessageWrites, sentMessageRepository } from './sent-message.repository.js'
import { sentMessageResource } from './sent-message.resource.js'
import { sentMessageRoutes } from './sent-message.routes.js'
import { type SentMessageParts, sentMessageService } from './sent-message.service.js'

interface Parts extends Omit<SentMessageParts, 'rows'> {
  readonly changeFolderCounts: ChangeFolderCounts<Tx>
  readonly sending: Sending
  readonly joinThread: SentMessageWrites['joinThread']
  readonly publishSent: SentMessageWrites['publishSent']
  readonly cases: Pick<LinkedCases, 'isSeen' | 'check'>
}

/** Messages that users write. */
export function wireSentMessages(db: Db, { changeFolderCounts, sending, joinThread, publishSent, ...parts }: Parts) {
  const rows = sentMessageRepository(db, { changeFolderCounts, checkCase: parts.cases.check, sending, joinThread, publishSent })
  const messages = sentMessageService({ rows, ...parts })
  const linkable = linkableMessages({
    linkable: rows.linkable,
    sees: async (employee, id) => isMailRole(employee.role) && (await messages.some(employee, [id])).length > 0,
  })
  return {
    routes: sentMessageRoutes(messages),
    linkable,
    add: rows.add,
    shown: { some: messages.some, encode: recordEncoder(sentMessageResource) },
  }
}
