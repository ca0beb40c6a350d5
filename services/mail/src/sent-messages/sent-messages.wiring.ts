import { type Routes, recordEncoder, resourceRoutes } from '@caseway/kit/http'
import type { Db, Tx } from '../database.js'
import type { ChangeFolderCounts } from '../folder-counts/folder-count.js'
import type { LinkedCases } from '../linked-cases/linked-case.js'
import type { Sending } from './sending.js'
import { type SentMessageWrites, sentMessageRepository } from './sent-message.repository.js'
import { sentMessageResource } from './sent-message.resource.js'
import { type SentMessageParts, sentMessageService } from './sent-message.service.js'

interface Parts extends Omit<SentMessageParts, 'rows'> {
  readonly changeFolderCounts: ChangeFolderCounts<Tx>
  readonly sending: Sending
  readonly joinThread: SentMessageWrites['joinThread']
  readonly publishSent: SentMessageWrites['publishSent']
  readonly cases: Pick<LinkedCases, 'isSeen' | 'check'>
}

/** Messages that people write. */
export function wireSentMessages(db: Db, { changeFolderCounts, sending, joinThread, publishSent, ...parts }: Parts) {
  const rows = sentMessageRepository(db, { changeFolderCounts, checkCase: parts.cases.check, sending, joinThread, publishSent })
  const messages = sentMessageService({ rows, ...parts })
  const routes: Routes = resourceRoutes(sentMessageResource, messages)
  return { routes, add: rows.add, shown: { some: messages.some, encode: recordEncoder(sentMessageResource) } }
}
