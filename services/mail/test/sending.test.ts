import { setTimeout as pause } from 'node:timers/promises'
import { messageTopic, sentMessageTopic } from '@caseway/protos/topics'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { SMTPServerOptions } from 'smtp-server'
import { bytesLostText, noMailboxText, uncertainText } from '../src/sending/queued-message.js'
import { faultySmtp } from './support/faulty-smtp.js'
import type { Script } from './support/scripted-server.js'
import { type SendingMailbox, type TestSending, testSending } from './support/sending.js'
import type { TestSmtp } from './support/smtp-server.js'
import { testServers } from './support/test-servers.js'

const perHour = 20

let sending: TestSending
beforeAll(async () => {
  sending = await testSending({ MAIL_MESSAGES_PER_HOUR: String(perHour) })
})
afterAll(() => sending.stop())

const servers = testServers()
async function at(options?: SMTPServerOptions): Promise<{ smtp: TestSmtp; mailbox: SendingMailbox }> {
  const smtp = await servers.smtp(options)
  return { smtp, mailbox: await sending.mailbox({ server_port: smtp.port }) }
}
async function scripted(script: Script) {
  const server = await servers.serving(script)
  return { server, mailbox: await sending.mailbox({ server_port: server.port }) }
}

const rows = (sql: string) => sending.service.database.rows(sql)
const refusing = (codes: Readonly<Record<string, number>>): SMTPServerOptions => ({
  onRcptTo: ({ address }, _, done) => {
    const code = codes[address]
    done(code ? Object.assign(new Error(`no ${address}`), { responseCode: code }) : null)
  },
})
/** The messages of a mailbox whose writers were told that they could not be sent. */
async function told({ office }: SendingMailbox) {
  const all = (await sending.service.published(sentMessageTopic)).map(({ event }) => event)
  return all
    .filter(({ customerId, userId }) => customerId === office.customerId && userId === office.expert.userId)
    .map(({ id }) => String(id))
}
/** How often streams were told of a message. */
async function shown(id: bigint) {
  const all = await sending.service.published(messageTopic)
  return all.filter(({ event: { sentIds } }) => sentIds.includes(BigInt(id))).length
}
const minutesUntil = (time: Date | null) => (Number(time) - Date.now()) / 60_000

describe('a message that waits', () => {
  it('is sent to all of its recipients, as its bytes were frozen', async () => {
    const { smtp, mailbox } = await at()
    const [id] = await mailbox.queue({ to: ['one@x.example', 'two@x.example'] })
    await mailbox.send()
    const [row] = await mailbox.untilStatus(2)
    expect(row).toMatchObject({ id, phase: null, error: null, attempts: 1 })
    expect(Date.now() - Number(row?.sent_at)).toBeLessThan(60_000)
    expect(smtp.delivered.map(({ to }) => to)).toEqual([['one@x.example', 'two@x.example']])
    expect(smtp.delivered[0]?.bytes.toString()).toContain(
      `Message-ID: <${row?.msg_unique_identifier}>\r\nSubject: Hello\r\n\r\nHello\r\n.\r\n`,
    )
    expect(await mailbox.recipients(id as bigint)).toEqual([
      { address: 'one@x.example', state: 'accepted', error: '' },
      { address: 'two@x.example', state: 'accepted', error: '' },
    ])
    // When it was claimed, and when it was done.
    expect(await shown(id as bigint)).toBe(2)
  })

  it('until its time is not sent before it', async () => {
    const { smtp, mailbox } = await at()
    await mailbox.queue({ sendAt: new Date(Date.now() + 4000) }, {})
    await mailbox.send()
    await mailbox.untilStatus(0, 2)
    await mailbox.untilStatus(2, 2)
    expect(smtp.delivered).toHaveLength(2)
  })

  it('is not sent again to whom it was delivered: whom the server defers is tried later, whom it refuses is not', async () => {
    const codes: Record<string, number> = { 'later@x.example': 450, 'never@x.example': 550 }
    const { smtp, mailbox } = await at(refusing(codes))
    const [id] = await mailbox.queue({ to: ['yes@x.example', 'later@x.example', 'never@x.example'] })
    await mailbox.send()
    const [deferred] = await eventually(async () => {
      const found = await mailbox.messages()
      expect(found).toMatchObject([{ status: 0, attempts: 1, phase: null }])
      return found
    })
    expect(minutesUntil(deferred?.next_attempt_at ?? null)).toBeLessThanOrEqual(1)
    expect(minutesUntil(deferred?.next_attempt_at ?? null)).toBeGreaterThan(0)
    expect(await told(mailbox)).toEqual([])
    expect(await mailbox.recipients(id as bigint)).toEqual([
      { address: 'yes@x.example', state: 'accepted', error: '' },
      { address: 'later@x.example', state: 'deferred', error: '450 no later@x.example' },
      { address: 'never@x.example', state: 'refused', error: '550 no never@x.example' },
    ])
    delete codes['later@x.example']
    await mailbox.send()
    expect(await mailbox.untilStatus(3)).toMatchObject([{ error: '550 no never@x.example', attempts: 2, next_attempt_at: null }])
    expect(smtp.delivered.map(({ to }) => to)).toEqual([['yes@x.example'], ['later@x.example']])
  })

  it('has failed at once when the server will not take it', async () => {
    const { smtp, mailbox } = await at({
      onMailFrom: (_, __, done) => done(Object.assign(new Error('no such sender'), { responseCode: 553 })),
    })
    await mailbox.queue({})
    await mailbox.send()
    const [failed] = await mailbox.untilStatus(3)
    expect(failed).toMatchObject({ error: '553 no such sender', attempts: 1 })
    expect(await told(mailbox)).toEqual([failed?.id])
    expect(smtp.delivered).toEqual([])
    expect(await mailbox.row()).toMatchObject({ state: 'active', last_error: null })
  })

  it('has failed when its bytes are lost, and others are sent', async () => {
    const { smtp, mailbox } = await at()
    await mailbox.queue({ bytes: null }, {})
    await mailbox.send()
    expect(await mailbox.untilStatus(3, 2)).toMatchObject([{ error: bytesLostText }, {}])
    expect(smtp.delivered).toHaveLength(1)
  })

  it('that ends the connection is tried later, and holds no other one up', async () => {
    const script = faultySmtp()
    const { mailbox } = await scripted({ ...script, answer: (line, of) => (line === 'Subject: bad' ? null : script.answer?.(line, of)) })
    await mailbox.queue({ bytes: 'Subject: bad\r\n\r\nx\r\n' }, {})
    await mailbox.send()
    const [bad] = await mailbox.untilStatus(0, 2)
    expect(bad).toMatchObject({ phase: null, error: 'The mail server did not answer as its protocol demands.' })
    expect(bad?.attempts).toBeGreaterThan(0)
    expect(await mailbox.row()).toMatchObject({ state: 'active', last_error: null, failures: 0 })
  })

  it('has failed when its mailbox is gone', async () => {
    const { smtp, mailbox } = await at()
    await smtp.stop()
    await mailbox.queue({})
    await mailbox.send()
    // The failure is written before the next run is: with that the first one is over.
    const waiting = `name = 'mail-sending' AND key = '${mailbox.id}' AND state = 'waiting'`
    await eventually(async () => expect(await rows(`SELECT id FROM kit.job WHERE ${waiting}`)).toHaveLength(1), { timeoutMs: 30_000 })
    expect(await mailbox.row()).toMatchObject({ last_error: 'connect' })
    await rows(`DELETE FROM mail_servers WHERE id = ${mailbox.id}`)
    await rows(`UPDATE kit.job SET run_at = now(), due = now() WHERE ${waiting}`)
    expect(await mailbox.untilStatus(3)).toMatchObject([{ error: noMailboxText }])
    expect(await told(mailbox)).toHaveLength(1)
  })
})

describe('a mailbox', () => {
  it('whose server is away waits with all of its messages, and sends them when it is set right', async () => {
    const { smtp, mailbox } = await at()
    const { port } = smtp
    await smtp.stop()
    await mailbox.queue({}, {}, {}, {})
    await mailbox.send()
    await eventually(async () => expect(await mailbox.row()).toMatchObject({ last_error: 'connect', state: 'active' }))
    expect(await mailbox.untilStatus(0, 0, 0, 0)).toMatchObject(Array(4).fill({ attempts: 0, phase: null }))
    await servers.smtp({}, port)
    await mailbox.send()
    await mailbox.untilStatus(2, 2, 2, 2)
    await eventually(async () => expect(await mailbox.row()).toMatchObject({ last_error: null, failures: 0 }))
  })

  it('whose server takes fewer connections sends over those that it takes', async () => {
    const { smtp, mailbox } = await at({ maxClients: 1 })
    await mailbox.queue(...Array(6).fill({}))
    await mailbox.send()
    await mailbox.untilStatus(...Array(6).fill(2))
    // Two were refused, and not tried again for each message.
    expect(smtp.connections().opened).toBe(3)
    expect(smtp.delivered).toHaveLength(6)
    expect(await mailbox.row()).toMatchObject({ last_error: null, failures: 0 })
  })

  it('is stopped when its login was refused five times, and sends when it is set right', async () => {
    let isRight = false
    const { mailbox } = await at({
      authOptional: false,
      onAuth: (_, __, done) => (isRight ? done(null, { user: 'anna' }) : done(new Error('No.'))),
    })
    await mailbox.queue({})
    for (const refused_logins of [1, 2, 3, 4, 5]) {
      await mailbox.send()
      await eventually(async () => expect(await mailbox.row()).toMatchObject({ refused_logins, last_error: 'auth' }), { timeoutMs: 20_000 })
    }
    expect(await mailbox.row()).toMatchObject({ state: 'auth_failed' })
    await mailbox.send()
    await pause(300)
    expect(await mailbox.messages()).toMatchObject([{ status: 0 }])
    isRight = true
    const http = sending.service.asExpert(mailbox.office.expert)
    expect((await http.put(`/mail_server/${mailbox.id}`, { MailServer: { user_password: 'right' } })).status).toBe(200)
    await mailbox.untilStatus(2)
  })

  it('sends so many messages within an hour, and the others wait', async () => {
    const { smtp, mailbox } = await at()
    await mailbox.queue(...Array.from({ length: perHour + 5 }, () => ({})))
    await mailbox.send()
    await mailbox.untilStatus(...Array(perHour).fill(2), ...Array(5).fill(0))
    expect(smtp.delivered).toHaveLength(perHour)
    const [job] = await eventually(async () => {
      const found = await rows(`SELECT run_at FROM kit.job WHERE name = 'mail-sending' AND key = '${mailbox.id}' AND state = 'waiting'`)
      expect(found).toHaveLength(1)
      return found as { run_at: Date }[]
    })
    expect(minutesUntil(job?.run_at ?? null)).toBeGreaterThan(58)
    await rows(`UPDATE mail_sent_messages SET sent_at = now() - interval '2 hours' WHERE mail_server_id = ${mailbox.id} AND status = 2`)
    await mailbox.send()
    await mailbox.untilStatus(...Array(perHour + 5).fill(2))
  })

  it('that hangs holds up no other', async () => {
    const hanging = await scripted(faultySmtp('MAIL', 'hang'))
    await hanging.mailbox.queue({})
    await hanging.mailbox.send()
    await eventually(async () => expect(await hanging.mailbox.messages()).toMatchObject([{ status: 1 }]))
    const { mailbox } = await at()
    await mailbox.queue({})
    await mailbox.send()
    await mailbox.untilStatus(2)
    expect(await hanging.mailbox.messages()).toMatchObject([{ status: 1, phase: 'claimed' }])
  })
})

describe('the point of no return', () => {
  it('a message whose answer was lost is not sent again, and says so', async () => {
    const { server, mailbox } = await scripted(faultySmtp('dot', 'cut'))
    await mailbox.queue({})
    await mailbox.send()
    await eventually(async () => expect(await mailbox.messages()).toMatchObject([{ status: 1, phase: 'dot' }]))
    await mailbox.send()
    expect(await mailbox.untilStatus(3)).toMatchObject([{ error: uncertainText, phase: null }])
    expect(await told(mailbox)).toHaveLength(1)
    await mailbox.send()
    await pause(300)
    expect(server.received().split('\r\n.\r\n')).toHaveLength(2)
  })

  it('what a run had claimed that is gone is sent by the next one', async () => {
    const { smtp, mailbox } = await at()
    const [id] = await mailbox.queue({ phase: 'claimed' })
    await mailbox.send()
    // By whoever has taken it, and by whoever has claimed it again.
    expect(await mailbox.untilStatus(2)).toMatchObject([{ fence: '2' }])
    expect(smtp.delivered).toHaveLength(1)
    expect(await shown(id as bigint)).toBe(3)
  })

  it('what a run had perhaps sent that is gone is not sent by the next one', async () => {
    const { smtp, mailbox } = await at()
    await mailbox.queue({ phase: 'dot' })
    await mailbox.send()
    expect(await mailbox.untilStatus(3)).toMatchObject([{ error: uncertainText }])
    expect(smtp.delivered).toEqual([])
  })
})
