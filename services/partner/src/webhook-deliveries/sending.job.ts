import type { Id } from '@caseway/kit/caller'
import type { RawTransaction } from '@caseway/kit/events'
import { defineJob, enqueueAll, handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'

interface Payload {
  readonly customerId: string
  readonly webhookId: string
}

/** Sends the deliveries of a webhook, one job at a time. The lease is short, because after a crash its deliveries wait for the end of the lease. */
const job = defineJob<Payload>({ name: 'webhook-sending', key: ({ webhookId }) => webhookId, leaseMs: 6000, retry: { maxMs: 30_000 } })

/** Enqueues the job of a webhook, in the transaction that adds deliveries. @param at not before this time; null for at once */
export const enqueueSending = (tx: RawTransaction, customerId: Id, webhookId: Id, at: Date | null = null): Promise<void> =>
  enqueueSendings(tx, customerId, [{ webhookId, at }])

interface Wanted {
  readonly webhookId: Id
  /** The earliest time to send; null for at once. */
  readonly at: Date | null
}

/** As `enqueueSending`, for each of these webhooks. */
export const enqueueSendings = (tx: RawTransaction, customerId: Id, webhooks: readonly Wanted[]): Promise<void> =>
  enqueueAll(
    tx,
    job,
    webhooks.map(({ webhookId, at }) => {
      const payload = { customerId: String(customerId), webhookId: String(webhookId) }
      return { payload, dedupe: payload.webhookId, ...(at && { runAt: at }) }
    }),
  )

/** Sends the pending deliveries of a webhook. */
export interface Sending {
  run(run: Run<unknown>, customerId: Id, webhookId: Id): Promise<void>
}

/**
 * How many webhooks send concurrently in one copy. One whose target hangs occupies a slot for some seconds, and then pauses for longer and longer;
 * an office has at most half of the places, which are more than it has webhooks.
 */
const concurrency = 64

export const webhookSendingJob = (sending: Sending): JobHandler<unknown> =>
  handleJob(job, (run) => sending.run(run, BigInt(run.payload.customerId), BigInt(run.payload.webhookId)), { concurrency })
