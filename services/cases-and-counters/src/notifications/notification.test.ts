import { describe, expect, it } from '@jest/globals'
import type { Issue } from '../issues/issue.js'
import { issueFact, notTo } from './notification.js'

const actor = { customerId: 1n, userId: 2n }
const [ben, clara] = [3n, 4n]

const issue = (more: Partial<Issue> = {}): Issue => ({
  ...{ id: 7n, customerId: 1n, number: 1, subject: 'A question', status: 'new', version: 5, groupId: null, userClientId: null },
  ...{ userId: null, delegatedUserId: null, delegatedBy: null, closedAt: null },
  ...more,
})

const noticesOf = (before: Issue | null, after: Issue | null) =>
  issueFact({ actor, before, after } as Parameters<typeof issueFact>[0])?.notices

describe('a change of a case notifies', () => {
  it.each<[string, Issue | null, Issue | null, object[] | undefined]>([
    ['the owner of a case that is opened for them', null, issue({ userId: ben }), [{ type: 'issue_assigned', userId: ben }]],
    ['the new owner', issue({ userId: clara }), issue({ userId: ben }), [{ type: 'issue_assigned', userId: ben }]],
    [
      'the owner who has to accept it again',
      issue({ userId: ben, status: 'rejected' }),
      issue({ userId: ben, status: 'unaccepted' }),
      [{ type: 'issue_assigned', userId: ben }],
    ],
    ['the delegate', issue({ userId: ben }), issue({ userId: ben, delegatedUserId: clara }), [{ type: 'issue_delegated', userId: clara }]],
    [
      'both at once',
      issue(),
      issue({ userId: ben, delegatedUserId: ben }),
      [
        { type: 'issue_assigned', userId: ben },
        { type: 'issue_delegated', userId: ben },
      ],
    ],
    ['nobody of what they do themselves', issue(), issue({ userId: actor.userId, delegatedUserId: actor.userId }), undefined],
    ['nobody who had it already', issue({ userId: ben }), issue({ userId: ben, subject: 'Another' }), undefined],
    [
      'nobody who is still to accept it',
      issue({ userId: ben, status: 'unaccepted' }),
      issue({ userId: ben, status: 'unaccepted', subject: 'Another' }),
      undefined,
    ],
    ['nobody when a case is taken back', issue({ userId: ben, delegatedUserId: clara }), issue(), undefined],
    ['nobody when a case is removed', issue({ userId: ben }), null, undefined],
  ])('%s', (_, before, after, notices) => {
    expect(noticesOf(before, after)).toEqual(notices)
  })
})

it('a fact contains the case, the person who changed it, and its new version', () => {
  const after = issue({ userId: ben, version: 6 })
  expect(issueFact({ actor, before: issue(), after })).toMatchObject({ customerId: 1n, fromUserId: 2n, issueId: 7n, version: 6 })
  expect(issueFact({ actor, before: null, after })).toMatchObject({ issueId: 'inserted' })
})

it('the person who made a change is not notified of it; of a client’s change everybody is', () => {
  const notices = [
    { type: 'sentence_add', userId: 1n },
    { type: 'sentence_add', userId: 2n },
  ] as const
  expect(notTo(1n, notices)).toEqual([notices[1]])
  expect(notTo(null, notices)).toEqual(notices)
})
