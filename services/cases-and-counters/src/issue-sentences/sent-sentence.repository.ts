import type { Id } from '@caseway/kit/caller'
import { office } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { sentenceTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import type { AttachedFiles } from '../files/attached-file.js'
import { type SentenceRow, sentenceRow } from './issue-sentence.resource.js'

type SentSentence = Pick<SentenceRow, 'id' | 'customerId' | 'issueId' | 'speakerId'>

/** @param recipient the client to whom an employee's sentence was sent */
export const publishSent = (tx: Tx, { id, customerId, issueId, speakerId }: SentSentence, recipient: Id | null = null) =>
  outbox(tx, sentenceTopic, {
    ...{ sentenceId: id, customerId, issueId },
    speakerId: speakerId ?? 0n,
    clientId: recipient ?? undefined,
  })

export const sentSentenceRepository = (db: Db, attached: AttachedFiles) => ({
  /** A sentence that an employee has sent, with its case and files; null if the office has no such sentence. */
  async find(customerId: Id, id: Id) {
    const within = office(customerId)
    const where = { id, customerId, status: 'sent', speaker: 'expert' }
    const sentence = await db.read(within).issueSentence.findFirst({ where })
    const issue = sentence && (await db.read(within).issue.findFirst({ where: { id: sentence.issueId, customerId } }))
    if (!sentence || !issue) return null
    return { ...sentenceRow(sentence), userClientId: sentence.userClientId, subject: issue.subject, files: await attached(within, [id]) }
  },
})
