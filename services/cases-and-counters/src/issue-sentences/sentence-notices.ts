import type { Id } from '@caseway/kit/caller'
import { type Notice, noticesTo, notTo } from '../notifications/notification.js'
import type { Reply } from './issue-sentence.js'

/** The people of a case. */
export interface CasePeople {
  readonly userId: Id | null
  readonly delegatedUserId: Id | null
  readonly delegatedBy: Id | null
}

const added = ({ userId, delegatedUserId }: CasePeople) => noticesTo('sentence_add', userId, delegatedUserId)

/** The notices for a client's question. */
export const questionNotices = (people: CasePeople): Notice[] => added(people)

/**
 * The notices for a change of the status of a reply, never to the caller. A reply to review notifies the owner of the case and, if it is delegated, both
 * people of the delegation. Without an owner nobody is notified; the list of replies to review shows it.
 */
export function replyNotices(
  caller: Id,
  { userId, delegatedUserId, delegatedBy }: CasePeople,
  before: Reply | null,
  after: Reply,
): Notice[] {
  if (after.status === before?.status) return []
  const author = after.speakerId
  switch (after.status) {
    case 'to_review':
      return notTo(author, notTo(caller, noticesTo('reply_to_review', userId, delegatedUserId, delegatedBy)))
    case 'rejected':
      return notTo(caller, noticesTo('reply_rejected', author))
    case 'sent':
      return notTo(caller, [
        ...(before?.status === 'to_review' ? noticesTo('reply_approved', author) : []),
        ...notTo(author, added({ userId, delegatedUserId, delegatedBy })),
      ])
    case 'draft':
      return []
    default:
      return after.status satisfies never
  }
}
