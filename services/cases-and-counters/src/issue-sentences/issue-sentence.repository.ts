import { publishAudit } from '@caseway/kit/audit'
import type { Client, Employee, Id } from '@caseway/kit/caller'
import { type BatchStatement, office, references, resourceReads } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import type { LinkableObject } from '@caseway/kit/objects'
import { removedObjectTopic, sentenceTopic } from '@caseway/protos/topics'
import type { Db, Tx } from '../database.js'
import { issueSentenceState } from '../errors.js'
import { namedIssueErrors, ofNamedIssue } from '../issues/named-issue.js'
import type { Fact } from '../notifications/notification.js'
import { replyFact } from '../reports/reply-fact.js'
import { clientSentenceResource } from './client-sentence.resource.js'
import type { Reply, Said, Status } from './issue-sentence.js'
import { issueSentenceResource, type SentenceRow } from './issue-sentence.resource.js'
import type { CaseOfSentences, SentenceParts, WriteInCase } from './issue-sentence-case.js'
import { askedNotices, replyNotices } from './sentence-notices.js'
import { answered, asked, ended, removed } from './waiting.js'

/** A sentence as an employee or a client sends it. */
export interface Written {
  readonly issueId: Id
  readonly body: string
}
export type LinkableSentence = LinkableObject & Pick<SentenceRow, 'status' | 'speaker' | 'speakerId'>
export type Decision = (reply: SentenceRow) => Reply

export const issueSentenceRepository = (db: Db, { issues, attached, notify, count }: SentenceParts) => {
  const reads = resourceReads(db, issueSentenceResource, { commonFileObject: attached })
  const own = resourceReads(db, clientSentenceResource, { commonFileObject: attached })
  const named = references({ issue_id: issues })

  const notifyWith = async (fact: Fact, ...others: BatchStatement[]) => {
    const [first, ...rest] = [...others, ...(fact.notices.length > 0 ? [notify(fact)] : [])]
    if (first) await db.batch(office(fact.customerId), first, ...rest)
  }
  const notifyOfReply = async (caller: Employee, issue: CaseOfSentences, before: Reply | null, after: SentenceRow) => {
    const { customerId, userId } = caller
    const notices = replyNotices(userId, issue, before, after)
    const counted = replyFact(issue, before, after)
    const fact = { customerId, fromUserId: userId, issueId: after.issueId, objectId: after.id, version: after.version, notices }
    // The feed is locked last, by the statement that notifies.
    await notifyWith(fact, ...(counted ? [count(counted)] : []))
  }
  /** @param reached the client to whom an employee's sentence was sent */
  const publishSent = (tx: Tx, { id, customerId, issueId, speakerId }: SentSentence, reached: Id | null = null) =>
    outbox(tx, sentenceTopic, {
      ...{ sentenceId: id, customerId, issueId },
      speakerId: speakerId ?? 0n,
      clientId: reached ?? undefined,
    })
  const peopleOf = (tx: Tx, { customerId }: Employee, id: Id) =>
    tx.issue.findFirstOrThrow({ where: { id, customerId } }) as Promise<CaseOfSentences>

  /** The time of the client's first question since the case waits; a reply would have ended the wait. */
  const firstUnanswered = async (tx: Tx, { id, customerId, waitingSince }: CaseOfSentences) => {
    if (!waitingSince) return null
    const where = { customerId, issueId: id, speaker: 'initiator', status: 'sent', created: { gte: waitingSince } }
    const first = await tx.issueSentence.findFirst({ where, orderBy: { created: 'asc' }, select: { created: true } })
    return first?.created ?? null
  }

  const insert = async (tx: Tx, { customerId, userId: speakerId }: Employee, written: Written & Sent & { status: Status }) =>
    rowOf(await tx.issueSentence.create({ data: { ...written, customerId, speaker: 'expert', speakerId } }))
  const update = async (tx: Tx, { id, customerId }: SentenceRow, reply: Reply, sent: Sent = {}) =>
    rowOf(await tx.issueSentence.update({ where: { id, customerId }, data: { ...columnsOf(reply), ...sent } }))

  return {
    ...reads,
    own: { ...own, fieldErrors: (client: Client, sent: Partial<Written>) => namedIssueErrors(issues.own, client, sent) },
    fieldErrors: named.fieldErrors,

    async create(caller: Employee, written: Written, status: 'draft' | 'to_review'): Promise<Id> {
      const { id } = await db.write(caller, async (tx) => {
        const { issueId: issue } = await named.keep(tx, caller, written)
        const sentence = await insert(tx, caller, { ...written, status })
        await notifyOfReply(caller, issue, null, sentence)
        return sentence
      })
      return id
    },

    /** Creates a sentence that is sent at once, which ends the wait of the case. */
    async createSent(caller: Employee, written: Written): Promise<Id> {
      let id = 0n
      const write: WriteInCase = async (issue, tx) => {
        const at = new Date()
        const sentence = await insert(tx, caller, { ...written, status: 'sent', ...sentOf(issue, at) })
        await notifyOfReply(caller, issue, null, sentence)
        await publishSent(tx, sentence, issue.userClientId)
        id = sentence.id
        return answered(issue, at)
      }
      await ofNamedIssue(issues.change(caller, written.issueId, write))
      return id
    },

    change: (caller: Employee, id: Id, decide: Decision, expected?: number): Promise<void> =>
      db.write(caller, async (tx) => {
        const before = await reads.lock(tx, caller, id, expected)
        const after = await update(tx, before, decide(before))
        await notifyOfReply(caller, await peopleOf(tx, caller, before.issueId), before, after)
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
        return answered(issue, at)
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
        return removed(issue, await firstUnanswered(tx, issue))
      })
    },

    /** The sentences among `ids` to which files can be attached. */
    linkable: (customerId: Id, ids: readonly Id[]): Promise<LinkableSentence[]> =>
      db.read(office(customerId)).issueSentence.findMany({
        where: { customerId, id: { in: [...ids] } },
        select: { id: true, userClientId: true, issueId: true, version: true, status: true, speaker: true, speakerId: true },
      }) as Promise<LinkableSentence[]>,

    /** A sentence that an employee has sent, with its case and files; null if the office has no such sentence. */
    async sent(customerId: Id, id: Id) {
      const within = office(customerId)
      const where = { id, customerId, status: 'sent', speaker: 'expert' }
      const sentence = await db.read(within).issueSentence.findFirst({ where })
      const issue = sentence && (await db.read(within).issue.findFirst({ where: { id: sentence.issueId, customerId } }))
      if (!sentence || !issue) return null
      return { ...rowOf(sentence), userClientId: sentence.userClientId, subject: issue.subject, files: await attached(within, [id]) }
    },

    /**
     * Creates a client's sentence in their case, which waits from then on.
     * @param require throws if the case does not allow it
     */
    async createOwn(client: Client, { issueId, body }: Written, require: (issue: CaseOfSentences) => void): Promise<Id> {
      let id = 0n
      const write: WriteInCase = async (issue, tx) => {
        require(issue)
        const { customerId, userClientId } = issue
        const at = new Date()
        const said = { speaker: 'initiator', speakerId: client.userId, userClientId, status: 'sent', created: at }
        const sentence = await tx.issueSentence.create({ data: { customerId, issueId, body, ...said } })
        await notifyWith({ customerId, fromUserId: null, issueId, objectId: sentence.id, version: 1, notices: askedNotices(issue) })
        await publishSent(tx, sentence)
        id = sentence.id
        return asked(issue, at)
      }
      await ofNamedIssue(issues.changeOwn(client, issueId, write))
      return id
    },

    /** Creates the first sentence of a case for a person who is not a client, in the transaction `tx` that has opened the case. */
    async say(tx: Tx, customerId: Id, said: Said): Promise<void> {
      await publishSent(tx, await tx.issueSentence.create({ data: { ...said, customerId, speaker: 'initiator', status: 'sent' } }))
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
type SentSentence = Pick<SentenceRow, 'id' | 'customerId' | 'issueId' | 'speakerId'>
const sentOf = (issue: CaseOfSentences, at: Date): Sent => ({ userClientId: issue.userClientId, ...ended(issue, at) })

const columnsOf = ({ status, body, originalBody, rejected, corrected, rejectReason, reviewedBy }: Reply) => ({
  ...{ status, body, originalBody, rejected, corrected, rejectReason, reviewedBy },
})

/** Check constraints limit status and speaker to the values of the types. */
const rowOf = (row: object) => row as SentenceRow
