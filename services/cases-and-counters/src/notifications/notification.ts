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

/** A notification of one person. */
export interface Notice {
  readonly type: NotificationType
  readonly userId: Id
}

/** Something that happened, mostly to a case. Its notices are inserted once, however often it is reported. */
export interface Fact {
  readonly customerId: Id
  /** The employee who did it; null for a client, or for the system. */
  readonly fromUserId: Id | null
  /** The id of the case; `inserted` stands for the one that this transaction has just inserted. Null if no case is concerned. */
  readonly issueId: Id | 'inserted' | null
  /** The id of the record that it happened to, if that is not the case itself. */
  readonly objectId?: Id
  /** The version of this record after it. */
  readonly version: number
  readonly notices: readonly Notice[]
}

/** One notice of this type for each of these people; nulls and duplicates are ignored. */
export const noticesTo = (type: NotificationType, ...people: (Id | null)[]): Notice[] =>
  [...new Set(people)].flatMap((userId) => (userId === null ? [] : [{ type, userId }]))

/** The notices without those to `userId`: nobody is notified of their own changes. */
export const notTo = (userId: Id | null, notices: readonly Notice[]): Notice[] => notices.filter((notice) => notice.userId !== userId)

/** The fact for the new owner and the new delegate of a change; undefined if there is nobody to notify. Only employees assign and delegate. */
export function issueFact({ actor, before, after }: IssueChange): Fact | undefined {
  if (!after) return undefined
  const given = (type: NotificationType, userId: Id | null, last: Id | null | undefined): Notice[] =>
    userId === null || userId === last ? [] : [{ type, userId }]
  // The owner who has rejected a case is notified if it is assigned to them again.
  const isGivenAgain = after.status === 'unaccepted' && before?.status !== 'unaccepted'
  const notices = notTo(actor.userId, [
    ...given('issue_assigned', after.userId, isGivenAgain ? null : before?.userId),
    ...given('issue_delegated', after.delegatedUserId, before?.delegatedUserId),
  ])
  if (notices.length === 0) return undefined
  const { customerId, userId: fromUserId } = actor
  return { customerId, fromUserId, issueId: before ? before.id : 'inserted', version: after.version, notices }
}
