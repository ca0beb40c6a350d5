import { describe, expect, it } from '@jest/globals'
import { backoffMs } from './page/backoff.js'
import { emptyDesk, maxCases, withChange } from './page/cases.js'
import { failureText, isPending, newConnecting, serversOf, stateText, withAddress, withPlace } from './page/mailboxes.js'
import { emptyOffice, withCounters, withGap, withIssue } from './page/office.js'
import { sizeText } from './page/words.js'
import { messageOf, nothingWritten, sendingBoxes, sentText, withTold } from './page/written-message.js'

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

  it('that are repeated after a reconnect are shown once', () => {
    const once = withIssue(withIssue(emptyOffice, issue, at), { ...issue, version: 2 }, at)
    expect(withIssue(withIssue(once, issue, at), { ...issue, version: 2 }, at)).toEqual(once)
  })

  it('keep the subject of a removed case', () => {
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
  const desk = { search: '', cases: [one, two], open: { issue: one, sentences: [], draft: '', busy: false } }

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

  it('applies changes to the cases of a search, and adds none', () => {
    const found = { search: 'vat', cases: [one] }
    expect(withChange(found, two)).toEqual(found)
    expect(withChange(found, { ...one, status: 'open', version: '2' }).cases).toMatchObject([{ id: '1', status: 'open' }])
  })

  it('loses a removed case, and tells a user who has it open', () => {
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

describe('the servers of a mailbox', () => {
  const hostsOf = (address: string) => {
    const { receiving, sending } = serversOf(address)
    return [receiving.server_address, `${sending.server_address}:${sending.server_port}`]
  }

  it.each([
    ['anna@gmail.com', ['imap.gmail.com', 'smtp.gmail.com:465']],
    ['anna@Outlook.com', ['outlook.office365.com', 'smtp-mail.outlook.com:587']],
    ['anna@onet.pl', ['imap.poczta.onet.pl', 'smtp.poczta.onet.pl:465']],
    ['anna@office.example', ['imap.office.example', 'smtp.office.example:465']],
    ['anna', ['', ':465']],
  ])('of %s are guessed', (address, hosts) => {
    expect(hostsOf(address)).toEqual(hosts)
  })

  it('are guessed no more when somebody has chosen them', () => {
    const guessed = withAddress(newConnecting, 'anna@office.example')
    const chosen = withPlace(guessed, 'receiving', { server_address: 'mail.office.example' })
    const { servers } = withAddress(chosen, 'anna@elsewhere.example')
    expect([servers.receiving.server_address, servers.sending.server_address]).toEqual(['mail.office.example', 'smtp.office.example'])
  })
})

describe('a mailbox', () => {
  const box = {
    id: '1',
    user_email: 'a@b.example',
    server_protocol: '2',
    server_address: 'imap.b.example',
    state: 'active',
    last_error: null,
  }

  it.each([
    [{}, 'Is being fetched for the first time', true],
    [{ last_fetch_at: '2026-01-02 03:04:05' }, 'Last fetched 2026-01-02 03:04:05', false],
    [{ last_error: 'dns' }, 'Is tried again', false],
    [{ state: 'auth_failed', last_error: 'auth' }, 'Stopped', false],
    [{ state: 'paused' }, 'Paused', false],
    [{ server_protocol: '1' }, 'Ready', false],
  ])('with %j says how it is', (changes, text, pending) => {
    const one = { ...box, last_fetch_at: null, ...changes }
    expect([stateText(one), isPending(one)]).toEqual([text, pending])
  })

  it.each(['dns', 'connect', 'tls', 'auth', 'protocol', 'authorization', 'another'])('says what failed: %s', (failed) => {
    expect(failureText(failed)).toMatch(/^The .+\.$/)
  })

  // A mail server delays its answer after a wrong password, also to a correct one.
  it('explains that a server which answers late may have seen a wrong password', () => {
    expect(failureText('protocol')).toMatch(/not in time/)
  })
})

describe('a message that somebody writes', () => {
  const sent = { id: '7', mail_address: 'a@b.example', mail_subject: 'VAT', status: '0', error: null }
  const box = { id: '1', user_email: 'a@b.example', server_address: 'b.example', last_error: null, last_fetch_at: null }

  it('can be sent from a mailbox that sends and is not stopped', () => {
    const boxes = [
      { ...box, server_protocol: '1', state: 'active' },
      { ...box, server_protocol: '1', state: 'auth_failed' },
      { ...box, server_protocol: '2', state: 'active' },
    ]
    expect(sendingBoxes({ boxes })).toEqual([boxes[0]])
    expect(sendingBoxes({ boxes: undefined })).toEqual([])
  })

  it('shows its text as it was written, to each of its recipients', () => {
    expect(messageOf({ from: '1', to: 'a@b.example, c@d.example', subject: 'VAT', text: '1 < 2 &amp;\r\n<b>' })).toEqual({
      ...{ mail_server_id: '1', mail_to_address: ['a@b.example', 'c@d.example'], mail_subject: 'VAT', status: '0' },
      mail_body: '1 &lt; 2 &amp;amp;<br>\n&lt;b&gt;',
    })
  })

  it.each([
    [{}, 'Waits to be sent'],
    [{ error: '450 later' }, 'Is tried again'],
    [{ status: '1' }, 'Is being sent'],
    [{ status: '2' }, 'Sent'],
    [{ status: '3', error: '550 never' }, 'Not sent'],
    [{ status: '4' }, 'Is a draft again'],
  ])('with %j says how it is', (changes, text) => {
    expect(sentText({ ...sent, ...changes })).toBe(text)
  })

  it('is followed on the live stream, among others', () => {
    const writing = { busy: false, sent }
    expect(withTold(writing, { ...sent, status: '2' })).toEqual({ busy: false, sent: { ...sent, status: '2' } })
    expect(withTold(writing, { ...sent, id: '8', status: '2' })).toBe(writing)
    expect(withTold(writing, undefined)).toBe(writing)
    expect(withTold(nothingWritten, sent)).toBe(nothingWritten)
    expect(withTold(writing, { id: '7' })).toEqual({ busy: false, problem: expect.any(String) })
  })
})
