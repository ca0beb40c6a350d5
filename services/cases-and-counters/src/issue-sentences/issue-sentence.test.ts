import { describe, expect, it } from '@jest/globals'
import { type Move, moved, type Reply, type Status, statuses, targetStatus } from './issue-sentence.js'

const author = { userId: 1n, mayApprove: false }
const expert = { userId: 2n, mayApprove: true }
const colleague = { userId: 3n, mayApprove: false }

const reply = (status: Status, more: Partial<Reply> = {}): Reply => ({
  ...{ status, speakerId: author.userId, body: 'Dear client', originalBody: null },
  ...{ rejected: false, corrected: false, rejectReason: null, reviewedBy: null },
  ...more,
})

const refused = expect.objectContaining({ kind: 'conflict', code: 'ISSUE_SENTENCE_STATE' })
const forbidden = expect.objectContaining({ kind: 'forbidden' })

describe('the state table', () => {
  // Rows: from; columns: to, in the order of `statuses`. The caller is the author, who may approve, or a reviewer of a reply that waits for review.
  const table: Record<Status, string> = {
    //          draft to_review rejected sent
    draft: '     =       x        -       x',
    to_review: ' x       -        x       x',
    rejected: '  x       x        =       x',
    sent: '      -       -        -       -',
  }

  for (const from of statuses) {
    const cells = table[from].trim().split(/\s+/)
    for (const [column, to] of statuses.entries()) {
      const cell = cells[column]
      it(`${cell === '-' ? 'does not lead' : 'leads'} from ${from} to ${to}`, () => {
        const writer = from === 'to_review' && ['sent', 'rejected'].includes(to) ? expert : { ...author, mayApprove: true }
        const move = () => moved(writer, reply(from), { status: to, rejectReason: 'Too short' })
        if (cell === '-') expect(move).toThrow(refused)
        else expect(move().status).toBe(to)
      })
    }
  }
})

describe('an author', () => {
  it('edits a draft and a rejected reply', () => {
    expect(moved(author, reply('draft'), { body: 'Better' })).toEqual(reply('draft', { body: 'Better' }))
    expect(moved(author, reply('rejected'), { body: 'Better', status: 'rejected' })).toEqual(reply('rejected', { body: 'Better' }))
  })

  it('without the right to approve submits to review, also a rejected reply', () => {
    expect([
      targetStatus(author, 'sent'),
      targetStatus(author, 'draft'),
      targetStatus(expert, 'sent'),
      targetStatus(expert, 'to_review'),
    ]).toEqual([...['to_review', 'draft', 'sent', 'to_review']])
    expect(moved(author, reply('draft'), { status: 'sent' })).toEqual(reply('to_review'))
    const again = moved(author, reply('rejected', { rejected: true, rejectReason: 'Too short' }), { status: 'sent', body: 'Longer' })
    expect(again).toEqual(reply('to_review', { rejected: true, rejectReason: 'Too short', body: 'Longer' }))
  })

  it('withdraws a reply that waits for review, but does not edit it meanwhile', () => {
    expect(moved(author, reply('to_review'), { status: 'draft', body: 'Better' })).toEqual(reply('draft', { body: 'Better' }))
    expect(() => moved(author, reply('to_review'), { body: 'Better' })).toThrow(refused)
    expect(() => moved(author, reply('to_review'), { status: 'sent' })).toThrow(refused)
    expect(moved(author, reply('to_review'), {})).toEqual(reply('to_review'))
  })

  it('does not review without the right', () => {
    expect(() => moved(author, reply('to_review'), { status: 'rejected', rejectReason: 'Mine' })).toThrow(forbidden)
  })

  it('with the right sends at once, also from review, which is no correction', () => {
    const own = { ...author, mayApprove: true }
    expect(moved(own, reply('draft'), { status: 'sent' })).toEqual(reply('sent'))
    const sent = moved(own, reply('to_review'), { status: 'sent', body: 'Better' })
    expect(sent).toEqual(reply('sent', { body: 'Better', reviewedBy: author.userId }))
  })
})

describe('a reviewer', () => {
  const rejectedBefore = reply('to_review', { rejected: true, rejectReason: 'Too short' })

  it('approves', () => {
    expect(moved(expert, rejectedBefore, { status: 'sent' })).toEqual(reply('sent', { reviewedBy: expert.userId }))
  })

  it('corrects, and the original text is kept', () => {
    const corrected = { body: 'Dear Mrs. Nowak', originalBody: 'Dear client', corrected: true, reviewedBy: expert.userId }
    expect(moved(expert, reply('to_review'), { status: 'sent', body: 'Dear Mrs. Nowak' })).toEqual(reply('sent', corrected))
    expect(moved(expert, reply('to_review'), { status: 'sent', body: 'Dear client' }).corrected).toBe(false)
  })

  it('rejects with a reason, without changing the text', () => {
    const rejected = { rejected: true, rejectReason: 'Too short', reviewedBy: expert.userId }
    const move = { status: 'rejected', rejectReason: 'Too short' } as const
    expect(moved(expert, reply('to_review'), move)).toEqual(reply('rejected', rejected))
    expect(() => moved(expert, reply('to_review'), { ...move, body: 'Better' })).toThrow(refused)
    for (const rejectReason of [undefined, null, ' ']) {
      const withoutReason = { status: 'rejected', ...(rejectReason !== undefined && { rejectReason }) } as const
      expect(() => moved(expert, reply('to_review'), withoutReason)).toThrow(expect.objectContaining({ kind: 'invalid' }))
    }
  })

  it('is refused for a reply that another reviewer has rejected', () => {
    for (const status of ['sent', 'rejected'] as const) {
      expect(() => moved(expert, reply('rejected'), { status, rejectReason: 'Too short' })).toThrow(refused)
      expect(() => moved(colleague, reply('rejected'), { status, rejectReason: 'Too short' })).toThrow(forbidden)
    }
  })
})

it.each<[string, Reply, Move]>([
  ['edits a draft', reply('draft'), { body: 'x' }],
  ['sends a draft', reply('draft'), { status: 'sent' }],
  ['submits a rejected reply again', reply('rejected'), { status: 'to_review' }],
  ['withdraws', reply('to_review'), { status: 'draft' }],
  ['edits what waits for review', reply('to_review'), { body: 'x' }],
])('nobody else %s', (_, from, move) => {
  for (const other of [expert, colleague]) expect(() => moved(other, from, move)).toThrow(forbidden)
})

it('a colleague without the right cannot review, and nobody can change a sent reply', () => {
  expect(() => moved(colleague, reply('to_review'), { status: 'sent' })).toThrow(forbidden)
  for (const anybody of [author, expert, colleague]) expect(() => moved(anybody, reply('sent'), {})).toThrow(refused)
})
