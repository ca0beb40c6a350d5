import { describe, expect, it } from '@jest/globals'
import type { IssueState, Status } from '../issues/issue.js'
import { concerned, contributions, difference } from './issue-counter.js'

const issue = (status: Status, more: Partial<IssueState> = {}): IssueState => ({
  status,
  userId: null,
  delegatedUserId: null,
  delegatedBy: null,
  closedAt: null,
  ...more,
})

const unassigned = { counter: 'unassigned', userId: 0n, otherUserId: 0n }
const owned = (userId: bigint) => ({ counter: 'owned', userId, otherUserId: 0n })
const unaccepted = (userId: bigint) => ({ counter: 'unaccepted', userId, otherUserId: 0n })
const delegation = { delegatedBy: 1n, delegatedUserId: 2n }

describe('a case counts', () => {
  it.each<[string, IssueState, object[]]>([
    ['as unassigned without an owner', issue('new'), [unassigned]],
    ['as its owner’s', issue('open', { userId: 1n }), [owned(1n)]],
    ['as unaccepted too until they accept', issue('unaccepted', { userId: 1n }), [owned(1n), unaccepted(1n)]],
    [
      'for the pair that delegated and was delegated',
      issue('open', { userId: 3n, ...delegation }),
      [owned(3n), { counter: 'delegated', userId: 1n, otherUserId: 2n }],
    ],
    ['for no pair when it was only given back or away', issue('new', { delegatedBy: 1n }), [unassigned]],
    ['for no pair that nobody has made', issue('new', { delegatedUserId: 2n }), [unassigned]],
    ['nowhere while pending', issue('pending', { userId: 1n, ...delegation }), []],
    ['nowhere when closed', issue('closed', { userId: 1n, ...delegation }), []],
    ['nowhere when rejected', issue('rejected', { userId: 1n }), []],
  ])('%s', (_, state, keys) => {
    expect(contributions(state)).toEqual(keys)
  })
})

it('names each person whose counters change once, and both people of a delegation', () => {
  const keys = contributions(issue('unaccepted', { userId: 3n, ...delegation }))
  expect(concerned(keys)).toEqual([3n, 1n, 2n])
  expect(concerned([{ counter: 'unassigned', userId: 0n, otherUserId: 0n }])).toEqual([0n])
})

describe('the difference', () => {
  it('of a new case adds to its counters, and of a removed one subtracts from them', () => {
    const open = issue('open', { userId: 1n })
    expect(difference(null, open)).toEqual([{ ...owned(1n), value: 1 }])
    expect(difference(open, null)).toEqual([{ ...owned(1n), value: -1 }])
  })

  it('of a change names only the counters that change', () => {
    const before = issue('unaccepted', { userId: 1n })
    expect(difference(before, issue('open', { userId: 1n }))).toEqual([{ ...unaccepted(1n), value: -1 }])
    expect(difference(before, before)).toEqual([])
  })
})
