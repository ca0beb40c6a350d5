import type { Id } from '@caseway/kit/caller'
import type { Reply } from '../issue-sentences/issue-sentence.js'

/** What a change of a reply counts for its author. Each reply counts once: as sent, and in one way as reviewed. */
export interface ReplyFact {
  readonly customerId: Id
  readonly userId: Id
  readonly sentences: number
  readonly approved: number
  readonly rejected: number
  readonly corrected: number
  /** The case, where its owner has sent something. */
  readonly issueId: Id | null
}

interface CaseOfReply {
  readonly id: Id
  readonly customerId: Id
  /** The owner. */
  readonly userId: Id | null
}

/** What is counted of the way of a reply, where anything is. */
export function replyFact({ id, customerId, userId: owner }: CaseOfReply, before: Reply | null, after: Reply): ReplyFact | undefined {
  const author = after.speakerId
  if (author === null || after.status === before?.status) return undefined
  const nothing = { customerId, userId: author, sentences: 0, approved: 0, rejected: 0, corrected: 0, issueId: null }
  // A reply that is rejected again after it was sent back has been counted.
  if (after.status === 'rejected') return before?.rejected ? undefined : { ...nothing, rejected: 1 }
  if (after.status !== 'sent') return undefined
  const isReviewed = before?.status === 'to_review' && after.reviewedBy !== author
  return {
    ...nothing,
    sentences: 1,
    approved: isReviewed && !after.corrected ? 1 : 0,
    corrected: isReviewed && after.corrected ? 1 : 0,
    issueId: author === owner ? id : null,
  }
}
