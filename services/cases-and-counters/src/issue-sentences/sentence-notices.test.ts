import { expect, it } from '@jest/globals'
import type { Reply, Status } from './issue-sentence.js'
import { type CasePeople, questionNotices, replyNotices } from './sentence-notices.js'

const [author, owner, delegate, expert] = [1n, 2n, 3n, 4n]
const people = { userId: owner, delegatedUserId: delegate, delegatedBy: owner }
const reply = (status: Status): Reply => ({
  ...{ status, speakerId: author, body: '', originalBody: null },
  ...{ rejected: false, corrected: false, rejectReason: null, reviewedBy: null },
})
const notified = (caller: bigint, before: Status | null, after: Status, to: CasePeople = people) =>
  replyNotices(caller, to, before && reply(before), reply(after)).map(({ type, userId }) => [type, userId])

it('a client’s question notifies owner and delegate, or once a person who is both', () => {
  expect(questionNotices(people).map(({ userId }) => userId)).toEqual([owner, delegate])
  expect(questionNotices({ ...people, delegatedUserId: owner })).toEqual([{ type: 'sentence_add', userId: owner }])
  expect(questionNotices({ userId: null, delegatedUserId: null, delegatedBy: null })).toEqual([])
})

it('a reply to review notifies the owner and both people of a delegation, except its author', () => {
  expect(notified(author, 'draft', 'to_review')).toEqual([
    ['reply_to_review', owner],
    ['reply_to_review', delegate],
  ])
  expect(notified(author, null, 'to_review', { ...people, userId: author, delegatedBy: expert })).toEqual([
    ['reply_to_review', delegate],
    ['reply_to_review', expert],
  ])
})

it('an approved reply notifies its author, and the others as a new sentence', () => {
  expect(notified(owner, 'to_review', 'sent')).toEqual([
    ['reply_approved', author],
    ['sentence_add', delegate],
  ])
  expect(notified(expert, 'to_review', 'sent', { userId: author, delegatedUserId: null, delegatedBy: expert })).toEqual([
    ['reply_approved', author],
  ])
  expect(notified(author, 'draft', 'sent')).toEqual([
    ['sentence_add', owner],
    ['sentence_add', delegate],
  ])
})

it('a rejected reply notifies its author only; drafts and the caller’s own changes notify nobody', () => {
  expect(notified(expert, 'to_review', 'rejected')).toEqual([['reply_rejected', author]])
  expect(notified(author, 'to_review', 'rejected')).toEqual([])
  for (const before of ['draft', 'to_review', 'rejected', null] as const) expect(notified(author, before, 'draft')).toEqual([])
  expect(notified(author, 'to_review', 'to_review')).toEqual([])
})
