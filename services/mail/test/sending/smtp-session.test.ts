import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { faultySmtp, lastLine, type SmtpFault, type SmtpStep } from '../support/faulty-smtp.js'
import { atOnce, impatient, mailboxAt, messageOf, open, outcomeOf, password, sent, text } from '../support/smtp-messages.js'
import { testServers } from '../support/test-servers.js'

const { serving, smtp } = testServers()

describe('a message over SMTP', () => {
  it('is delivered unchanged, to the recipients of the envelope and not of its header', async () => {
    const { port, delivered } = await smtp()
    const answers = await sent(mailboxAt(port))
    expect(answers).toEqual([
      { address: 'one@elsewhere.example', state: 'accepted', reply: '250 taken as 1' },
      { address: 'two@elsewhere.example', state: 'accepted', reply: '250 taken as 1' },
    ])
    expect(delivered).toEqual([
      { from: 'anna@office.example', to: ['one@elsewhere.example', 'two@elsewhere.example'], bytes: Buffer.from(text) },
    ])
  })

  it('of several megabytes is written completely before `beforeDot`', async () => {
    const { port, delivered } = await smtp()
    const long = `${'0123456789abcdef'.repeat(60)}\r\n`.repeat(8000)
    let before = -1
    await sent(mailboxAt(port), messageOf(long), async () => {
      before = delivered.length
    })
    expect(before).toBe(0)
    expect(delivered[0]?.bytes.equals(Buffer.from(long))).toBe(true)
  })

  it.each([
    ['anna@office.example', 'office.example'],
    ['anna@Büro.example', '[127.0.0.1]'],
    ['anna@[10.0.0.1]', '[127.0.0.1]'],
    ['anna@localhost', '[127.0.0.1]'],
    ['anna@office.example\r\nQUIT', '[127.0.0.1]'],
  ])('greets for %j as %s', async (userEmail, name) => {
    const { port, names } = await smtp()
    await sent(mailboxAt(port, { userEmail }))
    expect(names).toEqual([name])
  })

  it.each([
    ['a password', { password }, Buffer.from(`\0anna\0${password}`)],
    ['a token', { accessToken: 'a token of Anna' }, Buffer.from('user=anna\x01auth=Bearer a token of Anna\x01\x01')],
  ] as const)('signs in with %s', async (_, credentials, proof) => {
    const script = faultySmtp()
    const offer = '250-hello\r\n250 AUTH PLAIN XOAUTH2\r\n'
    const { port, received } = await serving({ ...script, answer: (line) => (/^EHLO/.test(line) ? offer : script.answer?.(line)) })
    expect(await outcomeOf(() => sent(mailboxAt(port, { credentials })))).toBe('accepted')
    expect(received()).toContain(proof.toString('base64'))
  })

  it('is answered for each recipient', async () => {
    const { port, delivered } = await smtp({
      onRcptTo: ({ address }, _, done) => {
        const code = { 'later@x.example': 450, 'never@x.example': 550 }[address]
        done(code ? Object.assign(new Error(`no ${address}`), { responseCode: code }) : null)
      },
    })
    const later = { address: 'later@x.example', state: 'deferred', reply: '450 no later@x.example' }
    const never = { address: 'never@x.example', state: 'refused', reply: '550 no never@x.example' }
    let before: unknown
    const answers = await sent(mailboxAt(port), messageOf(text, [later.address, 'yes@x.example', never.address]), async (notTaken) => {
      before = notTaken
    })
    expect(answers).toEqual([later, { address: 'yes@x.example', state: 'accepted', reply: '250 taken as 1' }, never])
    expect(before).toEqual([later, never])
    expect(delivered.map(({ to }) => to)).toEqual([['yes@x.example']])
  })

  it.each([
    ['DATA', 'never', 'refused'],
    ['DATA', 'later', 'deferred'],
    ['dot', 'never', 'refused'],
    ['dot', 'later', 'deferred'],
  ] as const)('refused at %s (%s) keeps the answers for the recipients that were refused before', async (step, fault, state) => {
    const script = faultySmtp(step, fault)
    const answer = (line: string) =>
      ({ 'RCPT TO:<later@x.example>': '450 busy\r\n', 'RCPT TO:<never@x.example>': '550 unknown\r\n' })[line] ?? script.answer?.(line)
    const { port } = await serving({ ...script, answer })
    const answers = await sent(mailboxAt(port), messageOf(text, ['later@x.example', 'yes@x.example', 'never@x.example']))
    expect(answers).toEqual([
      { address: 'later@x.example', state: 'deferred', reply: '450 busy' },
      { address: 'yes@x.example', state, reply: expect.any(String) },
      { address: 'never@x.example', state: 'refused', reply: '550 unknown' },
    ])
  })

  it('without an accepted recipient is not sent', async () => {
    const { port, delivered } = await smtp({
      onRcptTo: ({ address }, _, done) => done(Object.assign(new Error('no'), { responseCode: address === 'later@x.example' ? 450 : 550 })),
    })
    const answers = await sent(mailboxAt(port), messageOf(text, ['later@x.example', 'never@x.example']), () => Promise.reject(new Error()))
    expect(answers.map(({ state }) => state)).toEqual(['deferred', 'refused'])
    expect(delivered).toEqual([])
  })

  it('keeps the reply of the server as one line, and no more than 500 characters', async () => {
    const script = faultySmtp()
    const answer = (line: string) => (line === '.' ? `550-first\x1b[31m\r\n550 \0${'x'.repeat(2000)}\r\n` : script.answer?.(line))
    const { port } = await serving({ ...script, answer })
    const [{ reply = '', state = '' } = {}] = await sent(mailboxAt(port))
    expect({ state, length: reply.length, begin: reply.slice(0, 24) }).toEqual({
      ...{ state: 'refused', length: 500, begin: '550-first [31m 550 xxxxx' },
    })
  })
})

type Row = readonly [SmtpStep, SmtpFault, string]
const each = (step: SmtpStep, of: Record<SmtpFault, string>) =>
  Object.entries(of).map(([fault, then]) => [step, fault as SmtpFault, then] as Row)
const nothing = 'nothing: protocol'
const openFor = (fault: SmtpFault) => (fault === 'hang' ? impatient : open)

describe('a fault of the server', () => {
  it.each<Row>([
    ...each('greeting', { cut: nothing, hang: nothing, later: nothing, never: nothing, other: nothing }),
    ...each('EHLO', { cut: nothing, hang: nothing, later: nothing, never: nothing, other: nothing }),
    ...each('AUTH', { cut: nothing, hang: nothing, later: nothing, never: 'nothing: auth', other: nothing }),
    ...each('MAIL', { cut: nothing, hang: nothing, later: 'deferred', never: 'refused', other: nothing }),
    ...each('RCPT', { cut: nothing, hang: nothing, later: 'deferred', never: 'refused', other: nothing }),
    ...each('DATA', { cut: nothing, hang: nothing, later: 'deferred', never: 'refused', other: nothing }),
    ...each('content', { cut: nothing, hang: 'accepted', later: 'deferred', never: 'refused', other: nothing }),
    ...each('whole', { cut: nothing, hang: 'accepted', later: 'deferred', never: 'refused', other: nothing }),
    ...each('dot', { cut: 'uncertain', hang: 'uncertain', later: 'deferred', never: 'refused', other: 'uncertain' }),
    ...each('QUIT', { cut: 'accepted', hang: 'accepted', later: 'accepted', never: 'accepted', other: 'accepted' }),
  ])('at %s: %s gives %s', async (step, fault, outcome) => {
    const { port, received } = await serving(faultySmtp(step, fault))
    // Waits, so that a reply during the content arrives before its end is sent.
    const beforeDot = async () => void (await pause(['content', 'whole'].includes(step) ? 300 : 0))
    expect(await outcomeOf(() => sent(mailboxAt(port), messageOf(), beforeDot, openFor(fault)))).toBe(outcome)
    const wasEnded = received().includes('\r\n.\r\n')
    expect(wasEnded).toBe(['accepted', 'uncertain'].includes(outcome) || step === 'dot')
  })

  it.each<readonly [SmtpFault]>([['cut'], ['hang'], ['later'], ['never'], ['other']])(
    'at STARTTLS that is asked for: %s gives no connection, and no password is sent',
    async (fault) => {
      const { port, received } = await serving(faultySmtp('STARTTLS', fault))
      expect(await outcomeOf(() => sent(mailboxAt(port, { serverEncryption: 1 }), messageOf(), atOnce, openFor(fault)))).toMatch(
        /^nothing: (tls|protocol)$/,
      )
      expect(received()).not.toMatch(/AUTH|MAIL/)
    },
  )

  it.each([
    ['an answer that comes before the end', '250 taken\r\n', nothing],
    ['an answer that is cut', '250 tak', 'uncertain'],
  ] as const)('%s is not one', async (_, said, outcome) => {
    const script = faultySmtp()
    const early = said.endsWith('\n')
    const answer = (line: string) => {
      const usual = script.answer?.(line)
      return line === (early ? lastLine : '.') ? said : usual
    }
    const { port, received } = await serving({ ...script, answer })
    expect(await outcomeOf(() => sent(mailboxAt(port), messageOf(), () => pause(early ? 300 : 0), early ? open : impatient))).toBe(outcome)
    expect(received().includes('\r\n.\r\n')).toBe(!early)
  })
})
