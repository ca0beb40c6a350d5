import type { Id } from '@caseway/kit/caller'
import { type IssueState, isActive } from '../issues/issue.js'

export const issueCounters = ['owned', 'unaccepted', 'unassigned', 'delegated'] as const
export type IssueCounter = (typeof issueCounters)[number]

/** One counter: of a person, of the office, or of the pair that delegated and was delegated. */
export interface CounterKey {
  readonly counter: IssueCounter
  readonly userId: Id
  readonly otherUserId: Id
}

export interface CounterValue extends CounterKey {
  readonly value: number
}

/** Stands where a counter has no person. */
export const noUser: Id = 0n

/** The counters in which a case counts, each by one. */
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

/** The sums of equal keys. */
export function total(values: Iterable<CounterValue>): CounterValue[] {
  const sums = new Map<string, CounterValue>()
  for (const value of values) {
    sums.set(name(value), { ...value, value: value.value + (sums.get(name(value))?.value ?? 0) })
  }
  return [...sums.values()]
}

/** What a change of one case adds to the counters: after minus before. Null stands for a case that does not exist yet, or any more. */
export function difference(before: IssueState | null, after: IssueState | null): CounterValue[] {
  const count = (issue: IssueState | null, value: number) => (issue ? contributions(issue).map((key) => ({ ...key, value })) : [])
  return total([...count(before, -1), ...count(after, 1)]).filter(({ value }) => value !== 0)
}

/** Whose numbers change with these; `noUser` stands for everybody of the office, who all see what is unassigned. */
export function concerned(changes: readonly CounterKey[]): Id[] {
  const people = changes.flatMap(({ counter, userId, otherUserId }) => (counter === 'delegated' ? [userId, otherUserId] : [userId]))
  return [...new Set(people)]
}
