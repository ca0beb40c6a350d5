import { describe, expect, it } from '@jest/globals'
import { type IssueState, type Move, moved, type Status, statuses, statusFor } from './issue.js'

const now = new Date('2026-11-21T08:00:00Z')
const [anna, ben, clara] = [{ userId: 1n }, { userId: 2n }, { userId: 3n }]

const issue = (status: Status, owner: { userId: bigint } | null, more: Partial<IssueState> = {}): IssueState => ({
  status,
  userId: owner?.userId ?? null,
  delegatedUserId: null,
  delegatedBy: null,
  closedAt: null,
  ...more,
})

const refused = expect.objectContaining({ kind: 'conflict', code: 'ISSUE_STATE' })

describe('the state table', () => {
  // Rows: from; columns: to, in the order of `statuses`. The caller is a colleague of the owner, or the owner where only the owner may.
  const table: Record<Status, string> = {
    //         new unaccepted open pending closed rejected
    new: '      -      x        x     x       x      x',
    unaccepted: 'x     -        x     -       -      x',
    open: '     x      x        -     x       x      -',
    pending: '  -      x        x     -       x      -',
    closed: '   -      -        x     -       -      -',
    rejected: ' -      x        x     -       -      -',
  }

  for (const from of statuses) {
    const cells = table[from].trim().split(/\s+/)
    for (const [column, to] of statuses.entries()) {
      const allowed = cells[column] === 'x'
      it(`${allowed ? 'leads' : 'does not lead'} from ${from} to ${to}`, () => {
        const owner = from === 'new' ? null : ben
        const caller = to === 'rejected' && owner ? ben : anna
        const change: Move = from === 'new' && to === 'unaccepted' ? { status: to, userId: ben.userId } : { status: to }
        const move = () => moved(caller, issue(from, owner), change, now)
        if (allowed) expect(move().status).toBe(to)
        else expect(move).toThrow(refused)
      })
    }
  }
})

describe('assigning', () => {
  it.each([
    ['to oneself opens', anna, 'open'],
    ['to a colleague waits for their acceptance', ben, 'unaccepted'],
    ['to nobody makes the case new', null, 'new'],
  ] as const)('%s', (_, owner, status) => {
    const from = owner === null ? issue('open', anna) : issue('new', null)
    expect(moved(anna, from, { userId: owner?.userId ?? null }, now)).toMatchObject({ status, userId: owner?.userId ?? null })
    expect(statusFor(anna, owner?.userId ?? null)).toBe(status)
  })

  it('can be repeated for another person while unaccepted', () => {
    expect(moved(ben, issue('unaccepted', ben), { userId: clara.userId }, now)).toMatchObject({ status: 'unaccepted', userId: 3n })
  })

  it('takes over an open case of a colleague without changing the status', () => {
    expect(moved(anna, issue('open', ben), { userId: anna.userId, status: 'open' }, now)).toMatchObject({ status: 'open', userId: 1n })
  })

  it('reopens a rejected case', () => {
    expect(moved(anna, issue('rejected', ben), { userId: clara.userId }, now)).toMatchObject({ status: 'unaccepted', userId: 3n })
  })

  it.each<[string, IssueState, Move]>([
    ['a closed case to a colleague', issue('closed', anna), { userId: ben.userId }],
    ['a pending case to nobody', issue('pending', anna), { userId: null }],
    ['open to a colleague who has not accepted', issue('new', null), { userId: ben.userId, status: 'open' }],
    ['closed and away at once', issue('open', anna), { userId: ben.userId, status: 'closed' }],
    ['unaccepted to oneself', issue('open', anna), { status: 'unaccepted' }],
    ['unaccepted to nobody', issue('new', null), { status: 'unaccepted' }],
  ])('does not give %s', (_, from, change) => {
    expect(() => moved(anna, from, change, now)).toThrow(refused)
  })
})

describe('accepting and rejecting', () => {
  it('an employee who opens an unassigned case becomes its owner', () => {
    expect(moved(anna, issue('new', null), { status: 'open' }, now)).toMatchObject({ status: 'open', userId: 1n })
  })

  it('an unchanged status is refused if nothing else is sent', () => {
    expect(() => moved(ben, issue('open', ben), { status: 'open' }, now)).toThrow(refused)
    const change = { status: 'open', subject: 'the same record, sent back' } as const
    expect(moved(ben, issue('open', ben), change, now)).toEqual(issue('open', ben))
  })

  it('only the owner rejects an unaccepted case', () => {
    expect(moved(ben, issue('unaccepted', ben), { status: 'rejected' }, now)).toMatchObject({ status: 'rejected', userId: 2n })
    expect(() => moved(anna, issue('unaccepted', ben), { status: 'rejected' }, now)).toThrow(refused)
  })
})

describe('closing', () => {
  it('records the time, and keeps owner and delegation', () => {
    const open = issue('open', anna, { delegatedUserId: 2n, delegatedBy: 1n })
    expect(moved(anna, open, { status: 'closed' }, now)).toEqual({ ...open, status: 'closed', closedAt: now })
  })

  it('keeps the time while other fields change, and clears it when the case is reopened', () => {
    const earlier = new Date('2026-01-01T00:00:00Z')
    const closed = issue('closed', anna, { closedAt: earlier })
    expect(moved(anna, closed, {}, now).closedAt).toBe(earlier)
    expect(moved(ben, closed, { status: 'open' }, now)).toEqual(issue('open', anna))
  })
})

describe('delegating', () => {
  const delegated = issue('open', anna, { delegatedUserId: clara.userId, delegatedBy: ben.userId })

  it('names the delegator and keeps the owner', () => {
    expect(moved(ben, issue('open', anna), { delegatedUserId: clara.userId }, now)).toEqual(delegated)
  })

  it.each([
    ['owner', anna],
    ['delegator', ben],
  ])('the %s may take the case back or delegate it to somebody else', (_, caller) => {
    expect(moved(caller, delegated, { delegatedUserId: null }, now)).toEqual(issue('open', anna))
    const anew = moved(caller, delegated, { delegatedUserId: 4n }, now)
    expect(anew).toMatchObject({ delegatedUserId: 4n, delegatedBy: caller.userId })
  })

  it('nobody else may', () => {
    const forbidden = expect.objectContaining({ kind: 'forbidden' })
    expect(() => moved(clara, delegated, { delegatedUserId: null }, now)).toThrow(forbidden)
    expect(() => moved(clara, delegated, { delegatedUserId: 4n }, now)).toThrow(forbidden)
  })

  it('the same delegate again changes nothing', () => {
    expect(moved(clara, delegated, { delegatedUserId: clara.userId }, now)).toEqual(delegated)
  })
})
