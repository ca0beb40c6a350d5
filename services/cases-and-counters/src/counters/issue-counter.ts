import type { Id } from '@caseway/kit/caller'
import { type IssueState, isActive } from '../issues/issue.js'

export const issueCounters = ['owned', 'unaccepted', 'unassigned', 'delegated'] as const
export type IssueCounter = (typeof issueCounters)[number]

/** The key of a counter: of a person, of the office, or of a pair of delegator and delegate. */
export interface CounterKey {
  readonly counter: IssueCounter
  readonly userId: Id
  readonly otherUserId: Id
}

export interface CounterValue extends CounterKey {
  readonly value: number
}

/** The user id of counters that belong to no person. */
export const noUser: Id = 0n

/** The counters to which a case adds one. */
export function contributions(issue: IssueState): CounterKey[] {
  if (!isActive(issue)) return []
  const { status, userId, delegatedUserId, delegatedBy } = issue
  const keys: CounterKey[] = []
  if (userId === null) keys.push({ counter: 'unassigned', userId: noUser, otherUserId: noUser })
  else {
    keys.push({ counter: 'owned', userId, otherUserId: noUser })
    if (status === 'unaccepted') keys.push({ counter: 'unaccepted', userId, otherUserId: noUser })
  }
  if (delegatedBy !== null && delegatedUserId !== null) {
    keys.push({ counter: 'delegated', userId: delegatedBy, otherUserId: delegatedUserId })
  }
  return keys
}

const name = ({ counter, userId, otherUserId }: CounterKey) => `${counter} ${userId} ${otherUserId}`

/** Adds up the values of equal keys. */
export function total(values: Iterable<CounterValue>): CounterValue[] {
  const sums = new Map<string, CounterValue>()
  for (const value of values) {
    sums.set(name(value), { ...value, value: value.value + (sums.get(name(value))?.value ?? 0) })
  }
  return [...sums.values()]
}

/** The change of the counters by a change of one case. Null stands for a case that does not exist before or after it. */
export function difference(before: IssueState | null, after: IssueState | null): CounterValue[] {
  const count = (issue: IssueState | null, value: number) => (issue ? contributions(issue).map((key) => ({ ...key, value })) : [])
  return total([...count(before, -1), ...count(after, 1)]).filter(({ value }) => value !== 0)
}

/** The people whose counters change; `noUser` stands for everybody of the office, because everybody sees the unassigned cases. */
export function concerned(changes: readonly CounterKey[]): Id[] {
  const people = changes.flatMap(({ counter, userId, otherUserId }) => (counter === 'delegated' ? [userId, otherUserId] : [userId]))
  return [...new Set(people)]
}
