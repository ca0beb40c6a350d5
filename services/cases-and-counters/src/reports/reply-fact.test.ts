import { describe, expect, it } from '@jest/globals'
import type { Reply } from '../issue-sentences/issue-sentence.js'
import { replyFact } from './reply-fact.js'

const [anna, ben] = [3n, 4n]
const issue = { id: 7n, customerId: 1n, userId: anna }
const reply = (fields: Partial<Reply>): Reply => ({
  ...{ status: 'draft', speakerId: anna, body: 'A', originalBody: null, rejected: false, corrected: false },
  ...{ rejectReason: null, reviewedBy: null, ...fields },
})
const counted = { customerId: 1n, userId: anna, sentences: 0, approved: 0, rejected: 0, corrected: 0, issueId: null }
const sent = { ...counted, sentences: 1, issueId: 7n }

describe('a reply counts for its author', () => {
  it.each<[string, Partial<Reply> | null, Partial<Reply>, object | undefined]>([
    ['as sent, at once', null, { status: 'sent' }, sent],
    ['as sent, after a draft', { status: 'draft' }, { status: 'sent' }, sent],
    ['as sent and approved', { status: 'to_review' }, { status: 'sent', reviewedBy: ben }, { ...sent, approved: 1 }],
    ['as sent and corrected', { status: 'to_review' }, { status: 'sent', reviewedBy: ben, corrected: true }, { ...sent, corrected: 1 }],
    ['as sent, where the author has approved it', { status: 'to_review' }, { status: 'sent', reviewedBy: anna }, sent],
    ['as rejected', { status: 'to_review' }, { status: 'rejected', reviewedBy: ben, rejected: true }, { ...counted, rejected: 1 }],
    ['as rejected once', { status: 'to_review', rejected: true }, { status: 'rejected', reviewedBy: ben, rejected: true }, undefined],
    ['not as a draft', null, { status: 'draft' }, undefined],
    ['not while it waits for its review', { status: 'draft' }, { status: 'to_review' }, undefined],
    ['not for another text', { status: 'draft' }, { status: 'draft', body: 'B' }, undefined],
  ])('%s', (_, before, after, fact) => {
    expect(replyFact(issue, before && reply(before), reply(after))).toEqual(fact)
  })

  it('in a colleague’s case, without the case', () => {
    expect(replyFact({ ...issue, userId: ben }, null, reply({ status: 'sent' }))).toEqual({ ...sent, issueId: null })
  })
})
