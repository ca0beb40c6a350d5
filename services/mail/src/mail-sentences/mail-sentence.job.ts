import type { Id } from '@caseway/kit/caller'
import { defineJob, enqueue, handleJob, type JobHandler } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'
import { settlingMs } from './mail-sentence.js'

interface Payload {
  readonly customerId: string
  readonly issueId: string
  readonly sentenceId: string
}

/** The sentences of a case leave one after the other, so that each continues the one before. */
const job = defineJob<Payload>({
  name: 'mail-sentence',
  key: ({ customerId, issueId }) => `${customerId}/${issueId}`,
  retry: { mostMs: 10_000 },
})

export interface ToMail {
  readonly customerId: Id
  readonly issueId: Id
  readonly sentenceId: Id
}

/** In the transaction in which a sentence is known for the first time. */
export const enqueueSentence = (tx: Tx, { customerId, issueId, sentenceId }: ToMail): Promise<void> =>
  enqueue(
    tx,
    job,
    { customerId: String(customerId), issueId: String(issueId), sentenceId: String(sentenceId) },
    { runAt: new Date(Date.now() + settlingMs) },
  )

interface Mailing {
  prepare(customerId: Id, sentenceId: Id): Promise<((tx: Tx) => Promise<void>) | undefined>
}

/** Makes a message of a sentence. What happens to it and the end of the job are one transaction: it is queued once, whoever is killed. */
export const mailSentences = ({ prepare }: Mailing): JobHandler<unknown> =>
  handleJob(job, async (run) => {
    const finish = await prepare(BigInt(run.payload.customerId), BigInt(run.payload.sentenceId))
    if (finish) await run.finish((tx) => finish(tx as Tx))
  })
