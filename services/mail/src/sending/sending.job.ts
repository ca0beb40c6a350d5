import type { Id } from '@caseway/kit/caller'
import type { RawTransaction } from '@caseway/kit/events'
import { defineJob, type EnqueueOptions, enqueue, handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'

interface Payload {
  readonly customerId: string
  readonly mailServerId: string
}

export const sendingJobName = 'mail-sending'

/** Sends the due messages of a mailbox, one run at a time. The lease is short, because the claims of a killed process wait for its end. */
const job = defineJob<Payload>({
  name: sendingJobName,
  key: ({ mailServerId }) => mailServerId,
  leaseMs: 10_000,
  retry: { tries: 1_000_000, maxMs: 60_000 },
})

/** The earliest start of a run, by the clock of the database; at once by default. */
export type SendingStart = Pick<EnqueueOptions, 'runAt' | 'delayMs'>

/** Enqueues a run, in the transaction that queues a message or makes the mailbox work again. */
export async function enqueueSending(tx: RawTransaction, customerId: Id, mailServerId: Id, start: SendingStart = {}): Promise<void> {
  const payload = { customerId: String(customerId), mailServerId: String(mailServerId) }
  await enqueue(tx, job, payload, { dedupe: payload.mailServerId, ...start })
}

export interface MailSending {
  run(run: Run<unknown>, customerId: Id, mailServerId: Id): Promise<void>
}

/** @param concurrency the most mailboxes for which one copy of the service sends at the same time */
export const sendingJob = (sending: MailSending, concurrency: number): JobHandler<unknown> =>
  handleJob(job, (run) => sending.run(run, BigInt(run.payload.customerId), BigInt(run.payload.mailServerId)), { concurrency })
