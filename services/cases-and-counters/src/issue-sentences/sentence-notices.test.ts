import { expect, it } from '@jest/globals'
import type { Reply, Status } from './issue-sentence.js'
import { askedNotices, type People, replyNotices } from './sentence-notices.js'

const [author, owner, delegate, expert] = [1n, 2n, 3n, 4n]
const people = { userId: owner, delegatedUserId: delegate, delegatedBy: owner }
const reply = (status: Status): Reply => ({
  ...{ status, speakerId: author, body: '', originalBody: null },
  ...{ rejected: false, corrected: false, rejectReason: null, reviewedBy: null },
})
const told = (caller: bigint, before: Status | null, after: Status, to: People = people) =>
  replyNotices(caller, to, before && reply(before), reply(after)).map(({ type, userId }) => [type, userId])

it('a client’s question goes to owner and delegate, once to whoever is both', () => {
  expect(askedNotices(people).map(({ userId }) => userId)).toEqual([owner, delegate])
  expect(askedNotices({ ...people, delegatedUserId: owner })).toEqual([{ type: 'sentence_add', userId: owner }])
  expect(askedNotices({ userId: null, delegatedUserId: null, delegatedBy: null })).toEqual([])
})

it('what waits for review is seen by those who have the case, but for its author', () => {
  expect(told(author, 'draft', 'to_review')).toEqual([
    ['reply_to_review', owner],
    ['reply_to_review', delegate],
  ])
  expect(told(author, null, 'to_review', { ...people, userId: author, delegatedBy: expert })).toEqual([
    ['reply_to_review', delegate],
    ['reply_to_review', expert],
  ])
})

it('an approved reply is told to its author, and to those who have the case as a new sentence', () => {
  expect(told(owner, 'to_review', 'sent')).toEqual([
    ['reply_approved', author],
    ['sentence_add', delegate],
  ])
  expect(told(expert, 'to_review', 'sent', { userId: author, delegatedUserId: null, delegatedBy: expert })).toEqual([
    ['reply_approved', author],
  ])
  expect(told(author, 'draft', 'sent')).toEqual([
    ['sentence_add', owner],
    ['sentence_add', delegate],
  ])
})

it('a rejected one is told to its author alone, and nobody hears of drafts and of what they do themselves', () => {
  expect(told(expert, 'to_review', 'rejected')).toEqual([['reply_rejected', author]])
  expect(told(author, 'to_review', 'rejected')).toEqual([])
  for (const before of ['draft', 'to_review', 'rejected', null] as const) expect(told(author, before, 'draft')).toEqual([])
  expect(told(author, 'to_review', 'to_review')).toEqual([])
})
