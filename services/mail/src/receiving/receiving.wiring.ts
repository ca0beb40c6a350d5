import type { BlobStore } from '@caseway/kit/blobs'
import type { Values } from '@caseway/kit/config'
import { isTemporary } from '@caseway/kit/events'
import type { JobHandler } from '@caseway/kit/jobs'
import type { Part } from '@caseway/kit/lifecycle'
import type { Metrics } from '@caseway/kit/observability'
import type { Db } from '../database.js'
import { type Mailbox, protocols } from '../mail-connections/mailbox-access.js'
import type { OpenPop3 } from '../mail-connections/pop3-connection.js'
import type { MailParser } from '../parsing/mail-parser.js'
import type { Intake } from '../received-messages/arrivals/arrived-message.js'
import { backfillJob } from './backfills/backfill.job.js'
import { backfillRepository } from './backfills/backfill.repository.js'
import { backfill } from './backfills/backfill.service.js'
import { folderSync } from './folders/folder-sync.service.js'
import { remoteFolderRepository } from './folders/remote-folder.repository.js'
import { type MailboxHealth, mailboxHealthRepository } from './mailboxes/mailbox-health.repository.js'
import { mailboxMetrics } from './mailboxes/mailbox-metrics.js'
import { ingestFailures, mailboxStates } from './mailboxes/mailbox-state.repository.js'
import { mailboxSyncJob, wakeChannel } from './mailboxes/mailbox-sync.job.js'
import { type MailboxSyncParts, mailboxSync } from './mailboxes/mailbox-sync.service.js'
import { mailboxWakes } from './mailboxes/mailbox-wakes.js'
import { messageFetch } from './messages/message-fetch.service.js'
import { messageStore } from './messages/message-store.service.js'
import { storedMessages } from './messages/stored-message.repository.js'
import { sweep } from './messages/sweep.job.js'
import type { receivingVariables } from './receiving-variables.js'
import { imapMailboxSource, type OpenImap } from './sources/imap-mailbox-source.client.js'
import { pop3MailboxSource } from './sources/pop3-mailbox-source.client.js'

interface Parts {
  readonly config: Values<typeof receivingVariables>
  readonly mailboxes: MailboxSyncParts['mailboxes']
  readonly openImap: OpenImap
  readonly openPop3: OpenPop3
  readonly intake: Intake
  readonly blobs: BlobStore
  readonly parser: MailParser
  readonly metrics: Metrics
  readonly timeZoneOf: MailboxSyncParts['timeZoneOf']
}

interface Receiving {
  readonly jobs: JobHandler<unknown>[]
  readonly parts: Part[]
  readonly health: MailboxHealth
}

/** Receives mailboxes, in the copies that have the role `receive`. */
export function wireReceiving(
  db: Db,
  { config, mailboxes, openImap, openPop3, intake, blobs, parser, metrics, timeZoneOf }: Parts,
): Receiving {
  mailboxMetrics(metrics, { states: mailboxStates(db), failures: ingestFailures(db) })
  const storage = storagePart(db, blobs)
  const health = mailboxHealthRepository(db)
  if (!config.roles.includes('receive')) return { jobs: [], parts: [storage], health }
  const folders = remoteFolderRepository(db)
  const wakes = mailboxWakes()
  const fetch = messageFetch({ intake, parser, store: messageStore(blobs, parser), folders, isTemporary })
  const open = async (mailbox: Mailbox) =>
    mailbox.serverProtocol === protocols.pop3
      ? pop3MailboxSource(await openPop3(mailbox), await folders.knownUidls(mailbox), mailbox)
      : imapMailboxSource(openImap, mailbox)
  const sync = mailboxSync({
    ...{ mailboxes, folders, wakes, health, timeZoneOf, folderSync: folderSync({ folders, intake, fetch }) },
    ...{ open, intervalMs: config.fetchIntervalSeconds * 1000 },
  })
  const backfills = backfill({
    mailboxes,
    open,
    intake,
    fetch,
    folders,
    backfills: backfillRepository(db),
    timeZoneOf,
    bytesPerDay: config.backfillBytesPerDay,
  })
  const upkeep = sweep(storedMessages(db), blobs)
  const jobs = [mailboxSyncJob(sync, config.mailboxes), backfillJob(backfills), upkeep]
  return { jobs, parts: [storage, wakePart(db, wakes)], health }
}

/** Listens for wakes by other copies and by requests. A missed one is made up for when the interval is over. */
function wakePart(db: Db, wakes: ReturnType<typeof mailboxWakes>): Part {
  let listening: { stop(): Promise<void> } | undefined
  return {
    name: 'wakes of mailboxes',
    async start() {
      listening = await db.listen(wakeChannel, { onPayload: wakes.wake, onReconnect: wakes.wakeAll })
    },
    stop: () => listening?.stop(),
  }
}

/** Opens the storage. If the database cannot tell whether there are messages, the storage is not created: it may only be unavailable. */
function storagePart(db: Db, blobs: BlobStore): Part {
  const { any } = storedMessages(db)
  return { name: 'storage', start: async () => blobs.open(!(await any().catch(() => true))), stop: () => undefined }
}
