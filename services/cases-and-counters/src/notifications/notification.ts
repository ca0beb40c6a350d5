import type { Id } from '@caseway/kit/caller'
import type { IssueChange } from '../issues/issue-change.js'

export const notificationTypes = [
  'comments_add',
  'reply_rejected',
  'reply_approved',
  'reply_to_review',
  'issue_assigned',
  'issue_delegated',
  'sentence_add',
  'offer_chosen',
  'mail_error',
  'integration_error',
  'webhook_disabled',
] as const
export type NotificationType = (typeof notificationTypes)[number]

export const notificationStatuses = ['new', 'seen'] as const

/** Who is notified, and of what. */
export interface Notice {
  readonly type: NotificationType
  readonly userId: Id
}

/** Something that happened, mostly to a case: each of its notices is given once, however often it is told. */
export interface Fact {
  readonly customerId: Id
  /** The employee who did it; null where a client did, or nobody. */
  readonly fromUserId: Id | null
  /** `inserted` is the case that the transaction has just opened; null where it happened to no case. */
  readonly issueId: Id | 'inserted' | null
  /** The record that it happened to, where that is not the case itself. */
  readonly objectId?: Id
  /** The version that it made of this record. */
  readonly version: number
  readonly notices: readonly Notice[]
}

/** A notice of this type for each of the people that there are, once. */
export const noticesTo = (type: NotificationType, ...people: (Id | null)[]): Notice[] =>
  [...new Set(people)].flatMap((userId) => (userId === null ? [] : [{ type, userId }]))

/** The notices without those to `userId`: nobody is notified of what they have done themselves. */
export const notTo = (userId: Id | null, notices: readonly Notice[]): Notice[] => notices.filter((notice) => notice.userId !== userId)

/** What those are notified of to whom a change gives a case. Only employees assign and delegate. */
export function issueFact({ actor, before, after }: IssueChange): Fact | undefined {
  if (!after) return undefined
  const given = (type: NotificationType, userId: Id | null, last: Id | null | undefined): Notice[] =>
    userId === null || userId === last ? [] : [{ type, userId }]
  // Who has rejected a case may have to accept it after all.
  const isGivenAgain = after.status === 'unaccepted' && before?.status !== 'unaccepted'
  const notices = notTo(actor.userId, [
    ...given('issue_assigned', after.userId, isGivenAgain ? null : before?.userId),
    ...given('issue_delegated', after.delegatedUserId, before?.delegatedUserId),
  ])
  if (notices.length === 0) return undefined
  const { customerId, userId: fromUserId } = actor
  return { customerId, fromUserId, issueId: before ? before.id : 'inserted', version: after.version, notices }
}
