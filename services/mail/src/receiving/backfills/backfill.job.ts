import type { Id } from '@caseway/kit/caller'
import type { RawTransaction } from '@caseway/kit/events'
import { defineJob, enqueue, handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'
import type { ReadUids } from './backfill.js'

interface Payload {
  readonly customerId: string
  readonly mailServerId: string
  readonly id: string
  /** How far the folders were read before the backfill paused. */
  readonly read?: ReadUids
}

/** Fetches older messages, one job at a time for each mailbox, beside the job that receives new ones. */
const job = defineJob<Payload>({
  name: 'mail-backfill',
  key: ({ mailServerId }) => mailServerId,
  retry: { tries: 1_000_000, firstMs: 30_000, maxMs: 1_800_000 },
})

/** Enqueues the backfill, in the transaction that creates the command or pauses it. @param waiting when it continues, and how far folders were read */
export const enqueueBackfill = (
  tx: RawTransaction,
  { customerId, mailServerId, id }: { readonly customerId: Id; readonly mailServerId: Id; readonly id: Id },
  waiting?: { readonly runAt: Date; readonly read: ReadUids },
): Promise<void> => {
  const { runAt, read } = waiting ?? {}
  const payload = { customerId: String(customerId), mailServerId: String(mailServerId), id: String(id), ...(read && { read }) }
  return enqueue(tx, job, payload, { ...(runAt && { runAt }) })
}

export interface Backfills {
  /** @param read how far each folder was read, as the last checkpoint has stored it */
  run(run: Run<unknown>, customerId: Id, id: Id, read: ReadUids): Promise<void>
}

export const backfillJob = (backfills: Backfills): JobHandler<unknown> =>
  handleJob(job, (run) => {
    const { customerId, id, read = {} } = run.payload
    return backfills.run(run, BigInt(customerId), BigInt(id), (run.cursor as ReadUids | null) ?? read)
  })
