import type { BlobStore } from '@caseway/kit/blobs'
import type { Values } from '@caseway/kit/config'
import type { JobHandler } from '@caseway/kit/jobs'
import type { Part } from '@caseway/kit/lifecycle'
import type { Metrics } from '@caseway/kit/observability'
import type { PublishSent } from '../changed-messages/changed-messages.js'
import type { Db, Tx } from '../database.js'
import type { SmtpPool } from '../mail-connections/smtp-session.js'
import { imapSentFolder } from './imap-sent-folder.client.js'
import { queuedMessageRepository } from './queued-message.repository.js'
import { sendingJob } from './sending.job.js'
import { mailSending, type SendingParts } from './sending.service.js'
import { sendingMetrics } from './sending-metrics.js'
import { sendingQueue } from './sending-queue.repository.js'
import type { sendingVariables } from './sending-variables.js'
import { enqueueSentCopy, sentCopyJob } from './sent-copy.job.js'
import { sentCopyRepository } from './sent-copy.repository.js'
import { sentCopies } from './sent-copy.service.js'
import { transmissionRepository } from './transmission.repository.js'
import { uncertainMessages } from './uncertain-message.service.js'

interface Parts {
  readonly config: Values<typeof sendingVariables> & { readonly roles: readonly string[] }
  readonly mailboxes: SendingParts['mailboxes']
  readonly health: SendingParts['health']
  readonly openImap: Parameters<typeof imapSentFolder>[0]
  readonly pool: SmtpPool
  /** The most connections of one mailbox. */
  readonly sessions: number
  readonly blobs: BlobStore
  readonly metrics: Metrics
  readonly publishSent: PublishSent<Tx>
}

/** Sends messages, in the copies that have the role `send`. */
export function wireSending(
  db: Db,
  { config, openImap, metrics, publishSent, ...parts }: Parts,
): { jobs: JobHandler<unknown>[]; parts: Part[] } {
  sendingMetrics(metrics, sendingQueue(db))
  if (!config.roles.includes('send')) return { jobs: [], parts: [] }
  const openSent = imapSentFolder(openImap)
  const messages = queuedMessageRepository(db, publishSent)
  const transmissions = transmissionRepository(db, enqueueSentCopy, publishSent)
  const uncertain = uncertainMessages({ ...parts, messages, openSent })
  const sending = mailSending({ ...parts, messages, transmissions, uncertain, maxPerHour: config.messagesPerHour })
  const copies = sentCopies({ ...parts, messages, openSent, copies: sentCopyRepository(db) })
  const connections: Part = { name: 'connections to SMTP servers', start: async () => undefined, stop: parts.pool.close }
  return {
    jobs: [sendingJob(sending, config.sendingMailboxes), sentCopyJob(copies)],
    parts: [connections],
  }
}
