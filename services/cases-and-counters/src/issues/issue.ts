import { isDeepStrictEqual } from 'node:util'
import type { Id } from '@caseway/kit/caller'
import { forbidden } from '@caseway/kit/errors'
import { issueState } from '../errors.js'

export const statuses = ['new', 'unaccepted', 'open', 'pending', 'closed', 'rejected'] as const
export type Status = (typeof statuses)[number]

/** The channel by which a case arrived. */
export const sources = ['mail', 'chat', 'portal', 'poll', 'partner', 'phone'] as const

export const defaultPriority = 3

/** The state table of cases. From unaccepted to unaccepted means another owner. */
const moves = {
  new: ['open', 'unaccepted', 'pending', 'closed', 'rejected'],
  unaccepted: ['open', 'rejected', 'unaccepted', 'new'],
  open: ['pending', 'closed', 'unaccepted', 'new'],
  pending: ['open', 'closed', 'unaccepted'],
  closed: ['open'],
  rejected: ['open', 'unaccepted'],
} as const satisfies Record<Status, readonly Status[]>

/** The fields of a case that the rules use. */
export interface IssueState {
  readonly status: Status
  /** The owner. */
  readonly userId: Id | null
  readonly delegatedUserId: Id | null
  readonly delegatedBy: Id | null
  readonly closedAt: Date | null
}

/** The state of a new case that no employee has opened. */
export const untouched = {
  status: 'new',
  userId: null,
  delegatedUserId: null,
  delegatedBy: null,
  closedAt: null,
} as const satisfies IssueState

/** The fields of a case that the platform opens by itself. */
export interface OpenedByPlatform {
  readonly subject: string
  readonly source: (typeof sources)[number]
  readonly issueInitiatorId: Id | null
  readonly waitingSince: Date
}

/** The fields of a case that its followers use. */
export interface Issue extends IssueState {
  readonly id: Id
  readonly customerId: Id
  readonly number: number
  readonly subject: string
  readonly groupId: Id | null
  readonly userClientId: Id | null
  readonly version: number
}

/** The fields of a change that affect the state; a missing one stays as it is. */
export interface Move {
  readonly status?: Status
  readonly userId?: Id | null
  readonly delegatedUserId?: Id | null
}

interface Person {
  readonly userId: Id
}

export const activeStatuses: readonly Status[] = ['new', 'unaccepted', 'open']
export const isActive = ({ status }: Pick<IssueState, 'status'>) => activeStatuses.includes(status)

/** The status of a case for a new owner: unassigned, the caller's own, or assigned to another person. */
export function statusFor(caller: Person, owner: Id | null): Status {
  if (owner === null) return 'new'
  return owner === caller.userId ? 'open' : 'unaccepted'
}

/**
 * The state after `change`, whose other fields are ignored.
 * @throws AppError `conflict` if the state table does not allow it, `forbidden` if only owner or delegator may change the delegation
 */
export function moved(caller: Person, issue: IssueState, change: Move & object, now: Date): IssueState {
  const { status, userId } = assigned(caller, issue, change)
  return {
    status,
    userId,
    ...delegated(caller, issue, change),
    closedAt: status === 'closed' ? (issue.closedAt ?? now) : null,
  }
}

/** Whether a case is closed or rejected: clients cannot write in it, and it does not wait. A reopened case waits from the next question on. */
export const isEnded = ({ status }: Pick<IssueState, 'status'>) => status === 'closed' || status === 'rejected'
export const waitingOf = (state: Pick<IssueState, 'status'>) => (isEnded(state) ? { waitingSince: null } : {})

/** The fields to write to a record; undefined if none of them differs. */
export const differing = <Fields extends object>(record: object, written: Fields): Fields | undefined =>
  isDeepStrictEqual({ ...record, ...written }, { ...record }) ? undefined : written

function assigned(caller: Person, issue: IssueState, change: Move): Pick<IssueState, 'status' | 'userId'> {
  // A repeated status is no change, because clients send whole records back. Alone it is refused, so that of several employees who accept
  // concurrently only one succeeds.
  const repeated = change.status === issue.status
  if (repeated && Object.keys(change).length === 1) throw issueState()
  const wanted = repeated ? undefined : change.status

  const changesOwner = change.userId !== undefined && change.userId !== issue.userId
  const userId = changesOwner ? (change.userId ?? null) : ownerAt(wanted, caller, issue)
  const status = wanted ?? (changesOwner ? statusFor(caller, userId) : issue.status)

  if (status === issue.status && !(changesOwner && status === 'unaccepted')) return { status, userId }
  const allowed: readonly Status[] = moves[issue.status]
  if (!allowed.includes(status)) throw issueState()
  if ((changesOwner || status === 'unaccepted') && status !== statusFor(caller, userId)) throw issueState()
  if (issue.status === 'unaccepted' && status === 'rejected' && issue.userId !== caller.userId) throw issueState()
  return { status, userId }
}

/** The owner in a status: a new case has none, and the first employee who opens a case becomes its owner. */
function ownerAt(status: Status | undefined, caller: Person, { userId }: IssueState): Id | null {
  if (status === 'new') return null
  return status === 'open' ? (userId ?? caller.userId) : userId
}

function delegated(caller: Person, issue: IssueState, { delegatedUserId }: Move): Pick<IssueState, 'delegatedUserId' | 'delegatedBy'> {
  if (delegatedUserId === undefined || delegatedUserId === issue.delegatedUserId) {
    return { delegatedUserId: issue.delegatedUserId, delegatedBy: issue.delegatedBy }
  }
  const mayTakeBack = [issue.userId, issue.delegatedBy].includes(caller.userId)
  if (issue.delegatedUserId !== null && !mayTakeBack) throw forbidden()
  return { delegatedUserId, delegatedBy: delegatedUserId === null ? null : caller.userId }
}
