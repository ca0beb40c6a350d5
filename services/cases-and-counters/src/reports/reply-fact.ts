import type { Id } from '@caseway/kit/caller'
import type { Reply } from '../issue-sentences/issue-sentence.js'

/** What a change of a reply counts for its author. Each reply counts at most once as sent, as rejected, and as approved or corrected. */
export interface ReplyFact {
  readonly customerId: Id
  readonly userId: Id
  readonly sentences: number
  readonly approved: number
  readonly rejected: number
  readonly corrected: number
  /** The case, if its owner has sent the reply. */
  readonly issueId: Id | null
}

interface CaseOfReply {
  readonly id: Id
  readonly customerId: Id
  /** The owner. */
  readonly userId: Id | null
}

/** The fact of a change of a reply; undefined if it does not count. */
export function replyFact({ id, customerId, userId: owner }: CaseOfReply, before: Reply | null, after: Reply): ReplyFact | undefined {
  const author = after.speakerId
  if (author === null || after.status === before?.status) return undefined
  const nothing = { customerId, userId: author, sentences: 0, approved: 0, rejected: 0, corrected: 0, issueId: null }
  // A second rejection of the same reply does not count.
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
