import type { Id } from '@caseway/kit/caller'
import { forbidden, invalid } from '@caseway/kit/errors'
import { issueSentenceState } from '../errors.js'

export const statuses = ['draft', 'to_review', 'rejected', 'sent'] as const
export type Status = (typeof statuses)[number]

/** Who speaks: a client, an employee, or the platform. */
export const speakers = ['initiator', 'expert', 'system'] as const

/** What somebody has said elsewhere, which `objectName` and `objectId` name. */
export interface Said {
  readonly issueId: Id
  readonly body: string
  readonly objectName: string
  readonly objectId: Id
  readonly created: Date
}

/** The right to send without a review, and to review what others have written. */
export const approveRight = 'replies.approve'

/** Where a reply can go. What is sent has left the office, and is final. */
const moves = {
  draft: ['to_review', 'sent'],
  to_review: ['draft', 'rejected', 'sent'],
  rejected: ['draft', 'to_review', 'sent'],
  sent: [],
} as const satisfies Record<Status, readonly Status[]>

/** What the rules look at. */
export interface Reply {
  readonly status: Status
  /** The employee who wrote it. */
  readonly speakerId: Id | null
  readonly body: string
  /** What its author wrote, where a reviewer has corrected it. */
  readonly originalBody: string | null
  /** Whether its last review rejected it. */
  readonly rejected: boolean
  readonly corrected: boolean
  readonly rejectReason: string | null
  readonly reviewedBy: Id | null
}

/** The fields of a change; one that is missing stays as it is. */
export interface Move {
  readonly status?: Status
  readonly body?: string
  readonly rejectReason?: string | null
}

/** Somebody who writes or reviews. */
export interface Writer {
  readonly userId: Id
  readonly mayApprove: boolean
}

/** Where a reply goes that somebody sends: without the right to approve, to its review. */
export const goal = <Wanted extends Status>({ mayApprove }: Pick<Writer, 'mayApprove'>, wanted: Wanted): Wanted | 'to_review' =>
  wanted === 'sent' && !mayApprove ? 'to_review' : wanted

/**
 * The reply after a change: its author edits, sends and withdraws it, and a reviewer approves it, corrects it or rejects it. Of two reviewers at
 * once the second is told that it is reviewed.
 * @throws AppError `conflict` where the table does not lead there, `forbidden` where it is for another person, `invalid` without a reason
 */
export function moved(writer: Writer, reply: Reply, { status, body = reply.body, rejectReason }: Move): Reply {
  if (reply.status === 'sent') throw issueSentenceState()
  const isReview = writer.mayApprove && (status === 'sent' || status === 'rejected')
  if (isReview && reply.status === 'to_review') return reviewed(writer, reply, { status, body, rejectReason })
  if (reply.speakerId !== writer.userId) throw isReview && reply.status === 'rejected' ? issueSentenceState() : forbidden()
  const to = reached(reply.status, status && goal(writer, status))
  if (to === 'rejected' && reply.status !== to) throw forbidden()
  if (reply.status === 'to_review' && to === 'to_review' && body !== reply.body) throw issueSentenceState()
  return { ...reply, status: to, body }
}

/** Whether an employee changes what is attached: what was sent or is under review only who may approve it, everything else its author as well. */
export function mayAttach({ userId, mayApprove }: Writer, { status, speakerId }: Pick<Reply, 'status' | 'speakerId'>): boolean {
  return mayApprove || (speakerId === userId && (status === 'draft' || status === 'rejected'))
}

/** Whoever sends a whole reply back means only what differs; but sent for review twice, it is refused the second time. */
function reached(from: Status, to: Status | undefined): Status {
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
