import type { Id } from '@caseway/kit/caller'
import { forbidden, invalid } from '@caseway/kit/errors'
import { issueSentenceState } from '../errors.js'

export const statuses = ['draft', 'to_review', 'rejected', 'sent'] as const
export type Status = (typeof statuses)[number]

/** The author of a sentence: a client or another person outside of the office, an employee, or the platform. */
export const speakers = ['initiator', 'expert', 'system'] as const

/** The first sentence of a case that comes from another object, which `objectName` and `objectId` identify. */
export interface FirstSentence {
  readonly issueId: Id
  readonly body: string
  readonly objectName: string
  readonly objectId: Id
  readonly created: Date
}

/** The right to send without a review, and to review the replies of others. */
export const approveRight = 'replies.approve'

/** The state table of replies. A sent reply has left the office, and is final. */
const moves = {
  draft: ['to_review', 'sent'],
  to_review: ['draft', 'rejected', 'sent'],
  rejected: ['draft', 'to_review', 'sent'],
  sent: [],
} as const satisfies Record<Status, readonly Status[]>

/** The fields of a reply that the rules use. */
export interface Reply {
  readonly status: Status
  /** The employee who wrote it. */
  readonly speakerId: Id | null
  readonly body: string
  /** The text of its author, if a reviewer has corrected it. */
  readonly originalBody: string | null
  /** Whether its last review rejected it. */
  readonly rejected: boolean
  readonly corrected: boolean
  readonly rejectReason: string | null
  readonly reviewedBy: Id | null
}

/** The fields of a change; a missing one stays as it is. */
export interface Move {
  readonly status?: Status
  readonly body?: string
  readonly rejectReason?: string | null
}

/** The employee who makes a change. */
export interface Writer {
  readonly userId: Id
  readonly mayApprove: boolean
}

/** The status of a reply that somebody wants to send: without the right to approve, it is submitted to review. */
export const targetStatus = <Wanted extends Status>({ mayApprove }: Pick<Writer, 'mayApprove'>, wanted: Wanted): Wanted | 'to_review' =>
  wanted === 'sent' && !mayApprove ? 'to_review' : wanted

/**
 * The reply after a change: its author edits, sends and withdraws it; a reviewer approves, corrects or rejects it. Of two concurrent reviewers the second
 * gets `conflict`.
 * @throws AppError `conflict` if the state table does not allow the change, `forbidden` if another person may make it, `invalid` for a rejection without a
 *   reason
 */
export function moved(writer: Writer, reply: Reply, { status, body = reply.body, rejectReason }: Move): Reply {
  if (reply.status === 'sent') throw issueSentenceState()
  const isReview = writer.mayApprove && (status === 'sent' || status === 'rejected')
  if (isReview && reply.status === 'to_review') return reviewed(writer, reply, { status, body, rejectReason })
  if (reply.speakerId !== writer.userId) throw isReview && reply.status === 'rejected' ? issueSentenceState() : forbidden()
  const to = nextStatus(reply.status, status && targetStatus(writer, status))
  if (to === 'rejected' && reply.status !== to) throw forbidden()
  if (reply.status === 'to_review' && to === 'to_review' && body !== reply.body) throw issueSentenceState()
  return { ...reply, status: to, body }
}

/**
 * Whether an employee may change the attached files. For a reply that was sent or is under review that requires the right to approve; otherwise the author
 * may as well.
 */
export function mayAttach({ userId, mayApprove }: Writer, { status, speakerId }: Pick<Reply, 'status' | 'speakerId'>): boolean {
  return mayApprove || (speakerId === userId && (status === 'draft' || status === 'rejected'))
}

/** A repeated status is no change, because clients send whole records back. But a second submission to review is refused. */
function nextStatus(from: Status, to: Status | undefined): Status {
  if (to === undefined || (to === from && from !== 'to_review')) return from
  const allowed: readonly Status[] = moves[from]
  if (!allowed.includes(to)) throw issueSentenceState()
  return to
}

interface Review {
  readonly status: 'sent' | 'rejected'
  readonly body: string
  readonly rejectReason: string | null | undefined
}

function reviewed({ userId }: Writer, reply: Reply, { status, body, rejectReason }: Review): Reply {
  const isCorrection = body !== reply.body
  if (status === 'rejected') {
    if (!rejectReason?.trim()) throw invalid({ reject_reason: 'is required' })
    if (isCorrection) throw issueSentenceState()
    return { ...reply, status, rejected: true, rejectReason, reviewedBy: userId }
  }
  const correction = isCorrection && reply.speakerId !== userId ? { corrected: true, originalBody: reply.body } : {}
  return { ...reply, ...correction, status, body, rejected: false, rejectReason: null, reviewedBy: userId }
}
