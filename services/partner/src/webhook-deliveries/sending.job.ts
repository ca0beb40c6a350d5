import type { Id } from '@caseway/kit/caller'
import type { RawTransaction } from '@caseway/kit/events'
import { defineJob, enqueueAll, handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'

interface Payload {
  readonly customerId: string
  readonly webhookId: string
}

/** What a webhook has to send: by one job at a time. The lease is short, because what a process that was killed has not sent waits for its end. */
const job = defineJob<Payload>({ name: 'webhook-sending', key: ({ webhookId }) => webhookId, leaseMs: 6000, retry: { mostMs: 30_000 } })

/** In a transaction of the office that makes something to send. */
export const enqueueSending = (tx: RawTransaction, customerId: Id, webhookId: Id, at: Date | null = null): Promise<void> =>
  enqueueSendings(tx, customerId, [{ webhookId, at }])

interface Wanted {
  readonly webhookId: Id
  /** Not before this moment; at once when it is null. */
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

/** Sends what a webhook has to send. */
export interface Sending {
  run(run: Run<unknown>, customerId: Id, webhookId: Id): Promise<void>
}

/**
 * Webhooks that send at the same time in one copy. One whose target hangs keeps a place for some seconds, and then pauses for longer and longer;
 * an office has at most half of the places, which are more than it has webhooks.
 */
const concurrency = 64

export const webhookSendingJob = (sending: Sending): JobHandler<unknown> =>
  handleJob(job, (run) => sending.run(run, BigInt(run.payload.customerId), BigInt(run.payload.webhookId)), { concurrency })
