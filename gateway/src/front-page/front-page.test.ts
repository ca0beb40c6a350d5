import { describe, expect, it } from '@jest/globals'
import { backoffMs } from './page/backoff.js'
import { emptyDesk, maxCases, withChange } from './page/cases.js'
import { emptyOffice, withCounters, withGap, withIssue } from './page/office.js'
import { sizeText } from './page/words.js'

const at = new Date('2026-01-02T03:04:05Z')
const issue = { id: '7', number: 1, subject: 'VAT', status: 'new', version: 1 }
const kindsOf = ({ events }: typeof emptyOffice) => events.map(({ kind }) => kind)

describe('counters', () => {
  const counters = (my: number) => ({ Issue: { my, unassigned: 1 }, MailReceivedMysqlMessage: { customFolders: { 3: 4, 5: 6 } } })

  it('are numbers, also where each folder has one', () => {
    const values = withCounters(emptyOffice, counters(2)).counters.map(({ object, name, value }) => [object, name, value])
    expect(values).toEqual([
      ['Issue', 'my', 2],
      ['Issue', 'unassigned', 1],
      ['MailReceivedMysqlMessage', 'customFolders', 10],
    ])
  })

  it('know how often they changed', () => {
    const office = [3, 3, 2].reduce((before, my) => withCounters(before, counters(my)), withCounters(emptyOffice, counters(2)))
    expect(office.counters.map(({ changes }) => changes)).toEqual([2, 0, 0])
  })
})

describe('events', () => {
  it.each([
    ['opened', issue],
    ['changed', { ...issue, version: 2 }],
    ['closed', { ...issue, version: 2, status: 'closed' }],
    ['rejected', { ...issue, version: 2, status: 'rejected' }],
    ['removed', { id: '7' }],
  ])('a case is %s', (kind, changed) => {
    expect(kindsOf(withIssue(emptyOffice, changed, at))).toEqual([kind])
  })

  it('that are told again after a cut are shown once', () => {
    const once = withIssue(withIssue(emptyOffice, issue, at), { ...issue, version: 2 }, at)
    expect(withIssue(withIssue(once, issue, at), { ...issue, version: 2 }, at)).toEqual(once)
  })

  it('keep the subject of a case that is gone', () => {
    const [gone] = withIssue(withIssue(emptyOffice, issue, at), { id: '7' }, at).events
    expect(gone).toMatchObject({ kind: 'removed', issue: { subject: 'VAT' } })
  })

  it('say that some are missing', () => {
    expect(kindsOf(withGap(withIssue(emptyOffice, issue, at), at))).toEqual(['missed', 'opened'])
  })
})

describe('the list of cases', () => {
  const caseOf = (id: number, changes = {}) => ({
    id: String(id),
    number: id,
    subject: 'VAT',
    status: 'new' as const,
    user_id: null,
    version: '1',
    ...changes,
  })
  const [one, two] = [caseOf(1), caseOf(2)]
  const desk = { search: '', cases: [one, two], open: { issue: one, sentences: [], busy: false } }

  it('shows a change where the case stands, and in the open case', () => {
    const changed = { ...one, status: 'open' as const, version: '2' }
    expect(withChange(desk, changed)).toEqual({ search: '', cases: [changed, two], open: { ...desk.open, issue: changed } })
  })

  it('passes over what is older than what it shows', () => {
    expect(withChange({ search: '', cases: [{ ...one, version: '10' }] }, { ...one, status: 'open', version: '9' }).cases).toEqual([
      { ...one, version: '10' },
    ])
  })

  it('begins with a case that is new, and has an end', () => {
    const many = Array.from({ length: maxCases + 1 }, (_, index) => caseOf(index + 1))
    const { cases } = many.reduce(withChange, emptyDesk)
    expect([cases.length, cases[0]?.id, cases.at(-1)?.id]).toEqual([maxCases, String(maxCases + 1), '2'])
  })

  it('that were searched for changes, and gets no other one', () => {
    const found = { search: 'vat', cases: [one] }
    expect(withChange(found, two)).toEqual(found)
    expect(withChange(found, { ...one, status: 'open', version: '2' }).cases).toMatchObject([{ id: '1', status: 'open' }])
  })

  it('loses a case that is gone, which is said to whoever has it open', () => {
    expect(withChange(desk, { id: '2' })).toEqual({ ...desk, cases: [one] })
    expect(withChange(desk, { id: '1' })).toEqual({ search: '', cases: [two], problem: 'The case that you had open is gone.' })
  })
})

it('sizes of files are short', () => {
  expect([0, 999, 1000, 999_499, 1_000_000, 104_857_600].map(sizeText)).toEqual(['0 B', '999 B', '1 kB', '999 kB', '1.0 MB', '104.9 MB'])
})

describe('the pause after a failure', () => {
  it('doubles up to half a minute, and is never quite the same', () => {
    const longest = [1, 2, 3, 7, 100].map((failures) => backoffMs(failures, () => 1))
    expect(longest).toEqual([500, 1000, 2000, 30_000, 30_000])
    expect(backoffMs(2, () => 0)).toBe(500)
  })
})
