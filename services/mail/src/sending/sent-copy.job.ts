import type { Id } from '@caseway/kit/caller'
import type { RawTransaction } from '@caseway/kit/events'
import { defineJob, enqueue, handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'

interface Payload {
  readonly customerId: string
  readonly mailServerId: string
}

/** Stores copies of sent messages on the IMAP server of the mailbox. */
const job = defineJob<Payload>({
  name: 'mail-sent-copy',
  key: ({ mailServerId }) => mailServerId,
  retry: { tries: 12, firstMs: 30_000, maxMs: 3_600_000 },
})

/** The delay before a copy is stored, in milliseconds: servers that file sent messages themselves have done so by then. */
const afterMs = 15_000

/** Enqueues a run. @param delayMs the delay, in milliseconds */
export async function enqueueSentCopy(
  tx: RawTransaction,
  { id, customerId }: { readonly id: Id; readonly customerId: Id },
  delayMs = afterMs,
): Promise<void> {
  const payload = { customerId: String(customerId), mailServerId: String(id) }
  await enqueue(tx, job, payload, { dedupe: payload.mailServerId, delayMs })
}

export interface SentCopies {
  run(run: Run<unknown>, customerId: Id, mailServerId: Id): Promise<void>
}

export const sentCopyJob = (copies: SentCopies): JobHandler<unknown> =>
  handleJob(job, (run) => copies.run(run, BigInt(run.payload.customerId), BigInt(run.payload.mailServerId)))
