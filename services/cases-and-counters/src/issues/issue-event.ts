import { type IssueEvent, type IssueState, IssueStatus } from '@caseway/protos/cases_and_counters/v1/events'
import type { Issue, Status } from './issue.js'
import type { IssueChange, OpenedIssue } from './issue-change.js'

const statusNumbers = {
  new: IssueStatus.NEW,
  unaccepted: IssueStatus.UNACCEPTED,
  open: IssueStatus.OPEN,
  pending: IssueStatus.PENDING,
  closed: IssueStatus.CLOSED,
  rejected: IssueStatus.REJECTED,
} satisfies Record<Status, IssueStatus>

/**
 * The event of a change: the state after it (that before it for a deleted case), and the most important thing that happened. For a new case, PostgreSQL
 * adds id and number.
 */
export function issueEvent(change: IssueChange): IssueEvent & { state: IssueState } {
  const { actor, before, after } = change
  const issue = change.before ? (change.after ?? change.before) : change.after
  return {
    issueId: before?.id ?? 0n,
    customerId: issue.customerId,
    revision: BigInt(after ? after.version : issue.version + 1),
    actorId: actor.userId ?? undefined,
    state: stateOf(issue, before?.number ?? 0),
    change: happened(before, after),
  }
}

const stateOf = (issue: OpenedIssue, number: number): IssueState => ({
  number: BigInt(number),
  subject: issue.subject,
  status: statusNumbers[issue.status],
  userId: issue.userId ?? undefined,
  delegatedUserId: issue.delegatedUserId ?? undefined,
  delegatedBy: issue.delegatedBy ?? undefined,
  groupId: issue.groupId ?? undefined,
  userClientId: issue.userClientId ?? undefined,
})

function happened(before: Issue | null, after: OpenedIssue | null): IssueEvent['change'] {
  if (!before) return { $case: 'opened', value: {} }
  if (!after) return { $case: 'deleted', value: {} }
  if (after.status !== before.status) {
    if (after.status === 'closed') return { $case: 'closed', value: {} }
    if (after.status === 'rejected') return { $case: 'rejected', value: {} }
    if (before.status === 'closed') return { $case: 'reopened', value: {} }
  }
  if (after.userId !== before.userId) return { $case: 'assigned', value: { userId: after.userId ?? undefined } }
  if (before.status === 'unaccepted' && after.status === 'open') return { $case: 'accepted', value: {} }
  if (after.delegatedUserId === before.delegatedUserId) return { $case: 'changed', value: {} }
  if (after.delegatedUserId === null) return { $case: 'takenBack', value: {} }
  return { $case: 'delegated', value: { userId: after.delegatedUserId } }
}
