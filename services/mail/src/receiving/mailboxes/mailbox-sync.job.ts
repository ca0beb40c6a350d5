import type { Id } from '@caseway/kit/caller'
import type { RawTransaction } from '@caseway/kit/events'
import { defineJob, enqueue, handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'

interface Payload {
  readonly customerId: string
  readonly mailServerId: string
}

export const syncJobName = 'mailbox-sync'

/**
 * Receives a mailbox, one run at a time, which alone writes its cursors. The lease is short, because the mailbox of a killed process waits for its
 * end. Lost leases do not count as failures of the job.
 */
const job = defineJob<Payload>({
  name: syncJobName,
  key: ({ mailServerId }) => mailServerId,
  leaseMs: 10_000,
  retry: { tries: 1_000_000, maxMs: 60_000 },
})

/** The NOTIFY channel that wakes runs which wait for their server (IDLE). */
export const wakeChannel = 'mailbox_sync'

/**
 * Enqueues a run, in the transaction that makes work for the mailbox. A run that waits for the server is woken.
 * @param delayMs the delay of a later run, in milliseconds, which wakes nobody
 */
export async function enqueueSync(tx: RawTransaction, customerId: Id, mailServerId: Id, delayMs?: number): Promise<void> {
  const payload = { customerId: String(customerId), mailServerId: String(mailServerId) }
  await enqueue(tx, job, payload, { dedupe: payload.mailServerId, ...(delayMs !== undefined && { delayMs }) })
  if (delayMs === undefined) tx.$notify(wakeChannel, payload.mailServerId)
}

export interface MailboxSync {
  run(run: Run<unknown>, customerId: Id, mailServerId: Id): Promise<void>
}

/** @param concurrency the most mailboxes that one copy of the service receives at the same time, including those that wait for their server */
export const mailboxSyncJob = (sync: MailboxSync, concurrency: number): JobHandler<unknown> =>
  handleJob(job, (run) => sync.run(run, BigInt(run.payload.customerId), BigInt(run.payload.mailServerId)), { concurrency })
