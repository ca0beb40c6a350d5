import type { Id } from '@caseway/kit/caller'
import type { RawTransaction } from '@caseway/kit/events'
import { defineJob, enqueue, handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'

interface Payload {
  readonly customerId: string
  readonly mailServerId: string
  readonly id: string
}

/** Fetches older messages: of one mailbox by one job at a time, beside the one that receives what is new. */
const job = defineJob<Payload>({
  name: 'mail-backfill',
  key: ({ mailServerId }) => mailServerId,
  retry: { tries: 1_000_000, firstMs: 30_000, mostMs: 1_800_000 },
})

/**
 * In the transaction in which the command is made, or waits.
 * @param runAt not before this moment
 */
export const enqueueBackfill = (
  tx: RawTransaction,
  { customerId, mailServerId, id }: { readonly customerId: Id; readonly mailServerId: Id; readonly id: Id },
  runAt?: Date,
): Promise<void> =>
  enqueue(tx, job, { customerId: String(customerId), mailServerId: String(mailServerId), id: String(id) }, { ...(runAt && { runAt }) })

export interface Backfills {
  run(run: Run<unknown>, customerId: Id, id: Id): Promise<void>
}

export const backfillJob = (backfills: Backfills): JobHandler<unknown> =>
  handleJob(job, (run) => backfills.run(run, BigInt(run.payload.customerId), BigInt(run.payload.id)))
