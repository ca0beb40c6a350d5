import type { Consumer } from '@caseway/kit/events'
import { type HasRight, type Routes, resourceRoutes } from '@caseway/kit/http'
import type { JobHandler } from '@caseway/kit/jobs'
import type { PublishSent } from '../changed-messages/changed-messages.js'
import type { FrozenMessages } from '../composition/frozen-message.service.js'
import type { MessageIds } from '../composition/message-id.js'
import type { Db, Tx } from '../database.js'
import type { AddMessage } from '../sent-messages/added-message.js'
import { sentencesByMail } from './mail-sentence.consumer.js'
import { mailSentences } from './mail-sentence.job.js'
import { mailSentenceRepository } from './mail-sentence.repository.js'
import { mailSentenceResource } from './mail-sentence.resource.js'
import { mailing } from './mail-sentence.service.js'
import type { SentenceDirectory } from './sentence-directory.js'

interface Parts {
  readonly frozen: FrozenMessages
  readonly ids: MessageIds
  readonly hasRight: HasRight
  readonly sentences: SentenceDirectory
  readonly add: AddMessage
  readonly publishSent: PublishSent<Tx>
  readonly maxAttachedBytes: number
}

/** Sends as mail what employees write to clients in cases. */
export function wireMailSentences(db: Db, { publishSent, ...parts }: Parts) {
  const rows = mailSentenceRepository(db, publishSent)
  const routes: Routes = resourceRoutes(mailSentenceResource, { list: rows.list, get: rows.get })
  const consumers: readonly Consumer[] = sentencesByMail(rows)
  const jobs: readonly JobHandler<unknown>[] = [mailSentences(mailing({ rows, ...parts }))]
  return { routes, consumers, jobs }
}
