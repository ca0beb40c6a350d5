import type { Id } from '@caseway/kit/caller'
import { defineJob, enqueue, handleJob, type JobHandler } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import { settlingMs } from './mail-sentence.js'

interface Payload {
  readonly customerId: string
  readonly issueId: string
  readonly sentenceId: string
}

/** The sentences of a case are sent one after the other, so that each continues the conversation of the one before. */
const job = defineJob<Payload>({
  name: 'mail-sentence',
  key: ({ customerId, issueId }) => `${customerId}/${issueId}`,
  retry: { maxMs: 10_000 },
})

export interface ToMail {
  readonly customerId: Id
  readonly issueId: Id
  readonly sentenceId: Id
}

/** Enqueues the mailing of a sentence, in the transaction that stores it first. */
export const enqueueSentence = (tx: Tx, { customerId, issueId, sentenceId }: ToMail): Promise<void> =>
  enqueue(tx, job, { customerId: String(customerId), issueId: String(issueId), sentenceId: String(sentenceId) }, { delayMs: settlingMs })

interface Mailing {
  prepare(customerId: Id, sentenceId: Id): Promise<((tx: Tx) => Promise<void>) | undefined>
}

/** Sends a sentence as a message. The message and the end of the job are one transaction, so that it is queued once even if a process is killed. */
export const mailSentences = ({ prepare }: Mailing): JobHandler<unknown> =>
  handleJob(job, async (run) => {
    const finish = await prepare(BigInt(run.payload.customerId), BigInt(run.payload.sentenceId))
    if (finish) await run.finish((tx) => finish(tx as Tx))
  })
