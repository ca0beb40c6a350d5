import { publishAudit } from '@caseway/kit/audit'
import type { Employee, Id } from '@caseway/kit/caller'
import { office, references, resourceReads } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { removedObjectTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import { issueSentenceState } from '../errors.js'
import { ofNamedIssue } from '../issues/named-issue.js'
import { replyFact } from '../reports/reply-fact.js'
import type { Reply, Status } from './issue-sentence.js'
import { issueSentenceResource, type NewSentence, type SentenceRow, sentenceRow } from './issue-sentence.resource.js'
import type { CaseOfSentences, SentenceParts, WriteInCase } from './issue-sentence-case.js'
import { publishSent } from './sent-sentence.repository.js'
import { replyNotices } from './sentence-notices.js'
import { afterRemoval, afterReply, endedWait } from './waiting.js'

type SentenceInput = Pick<NewSentence, 'issueId' | 'body'>
export type Decision = (reply: SentenceRow) => Reply

/** The sentences of employees. */
export const issueSentenceRepository = (db: Db, { issues, attached, notify, count }: SentenceParts) => {
  const reads = resourceReads(db, issueSentenceResource, { commonFileObject: attached })
  const named = references({ issue_id: issues })

  const notifyOfReply = async (caller: Employee, issue: CaseOfSentences, before: Reply | null, after: SentenceRow) => {
    const { customerId, userId } = caller
    const counted = replyFact(issue, before, after)
    const notices = replyNotices(userId, issue, before, after)
    const fact = { customerId, fromUserId: userId, issueId: after.issueId, objectId: after.id, version: after.version, notices }
    // The feed is locked last, by the statement that notifies.
    const [first, ...rest] = [...(counted ? [await count(counted)] : []), ...(notices.length > 0 ? [notify(fact)] : [])]
    if (first) await db.batch(office(customerId), first, ...rest)
  }
  const caseOf = (tx: Tx, { customerId }: Employee, id: Id) =>
    tx.issue.findFirstOrThrow({ where: { id, customerId } }) as Promise<CaseOfSentences>

  /** The time of the client's first question since the case waits; a reply would have ended the wait. */
  const firstUnanswered = async (tx: Tx, { id, customerId, waitingSince }: CaseOfSentences) => {
    if (!waitingSince) return null
    const where = { customerId, issueId: id, speaker: 'initiator', status: 'sent', created: { gte: waitingSince } }
    const first = await tx.issueSentence.findFirst({ where, orderBy: { created: 'asc' }, select: { created: true } })
    return first?.created ?? null
  }

  const insert = async (tx: Tx, { customerId, userId: speakerId }: Employee, input: SentenceInput & Sent & { status: Status }) =>
    sentenceRow(await tx.issueSentence.create({ data: { ...input, customerId, speaker: 'expert', speakerId } }))
  const update = async (tx: Tx, { id, customerId }: SentenceRow, reply: Reply, sent: Sent = {}) =>
    sentenceRow(await tx.issueSentence.update({ where: { id, customerId }, data: { ...columnsOf(reply), ...sent } }))

  return {
    ...reads,
    fieldErrors: named.fieldErrors,

    async create(caller: Employee, input: SentenceInput, status: 'draft' | 'to_review'): Promise<Id> {
      const { id } = await db.write(caller, async (tx) => {
        const { issueId: issue } = await named.keep(tx, caller, input)
        const sentence = await insert(tx, caller, { ...input, status })
        await notifyOfReply(caller, issue, null, sentence)
        return sentence
      })
      return id
    },

    /** Creates a sentence that is sent at once, which ends the wait of the case. */
    async createSent(caller: Employee, input: SentenceInput): Promise<Id> {
      let id = 0n
      const write: WriteInCase = async (issue, tx) => {
        const at = new Date()
        const sentence = await insert(tx, caller, { ...input, status: 'sent', ...sentOf(issue, at) })
        await notifyOfReply(caller, issue, null, sentence)
        await publishSent(tx, sentence, issue.userClientId)
        id = sentence.id
        return afterReply(issue, at)
      }
      await ofNamedIssue(issues.change(caller, input.issueId, write))
      return id
    },

    change: (caller: Employee, id: Id, decide: Decision, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const before = await reads.lock(tx, caller, id, expected)
        const after = await update(tx, before, decide(before))
        await notifyOfReply(caller, await caseOf(tx, caller, before.issueId), before, after)
      }),

    /** Applies a change by which a reply is sent, which ends the wait of the case. All senders lock the case first. */
    async send(caller: Employee, id: Id, decide: Decision, expected?: number): Promise<void> {
      const { issueId } = await reads.get(caller, id)
      await issues.change(caller, issueId, async (issue, tx) => {
        const before = await reads.lock(tx, caller, id, expected)
        const at = new Date()
        const after = await update(tx, before, decide(before), sentOf(issue, at))
        await notifyOfReply(caller, issue, before, after)
        await publishSent(tx, after, issue.userClientId)
        return afterReply(issue, at)
      })
    },

    /** @param require throws if the caller may not remove the sentence */
    async remove(caller: Employee, id: Id, require: (sentence: SentenceRow) => void, expected?: number): Promise<void> {
      const { issueId, status } = await reads.get(caller, id)
      const work = async (tx: Tx) => {
        const sentence = await reads.lock(tx, caller, id, expected)
        require(sentence)
        if (sentence.status !== status) throw issueSentenceState()
        await tx.issueSentence.delete({ where: { id, customerId: caller.customerId } })
        await outbox(tx, removedObjectTopic, { customerId: caller.customerId, objectName: 'IssueSentence', objectIds: [id] })
        await publishAudit(tx, { kind: 'issue_sentence.deleted', subject: { kind: 'issue_sentence', id } })
      }
      if (status !== 'sent') return db.write(caller, work)
      await issues.change(caller, issueId, async (issue, tx) => {
        await work(tx)
        return afterRemoval(issue, await firstUnanswered(tx, issue))
      })
    },
  }
}

export type IssueSentenceRepository = ReturnType<typeof issueSentenceRepository>

/** The columns that are set when a sentence is sent. */
interface Sent {
  readonly userClientId?: Id | null
  readonly waitingSince?: Date | null
  readonly waitingTime?: number | null
}
const sentOf = (issue: CaseOfSentences, at: Date): Sent => ({ userClientId: issue.userClientId, ...endedWait(issue, at) })

const columnsOf = ({ status, body, originalBody, rejected, corrected, rejectReason, reviewedBy }: Reply) => ({
  ...{ status, body, originalBody, rejected, corrected, rejectReason, reviewedBy },
})
