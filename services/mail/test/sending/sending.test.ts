import { eventually } from '@caseway/testing'
import { afterAll, describe, expect, it } from '@jest/globals'
import type { SMTPServerOptions } from 'smtp-server'
import { bytesLostText, noMailboxText, uncertainText } from '../../src/sending/queued-message.js'
import { faultySmtp } from '../support/faulty-smtp.js'
import { testSending } from '../support/sending.js'
import { minutesUntil, sendingMailboxes } from '../support/sending-mailboxes.js'

const sending = await testSending()
afterAll(() => sending.stop())

const { at, scripted, rows, notified, shown } = sendingMailboxes(sending)

const refusing = (codes: Readonly<Record<string, number>>): SMTPServerOptions => ({
  onRcptTo: ({ address }, _, done) => {
    const code = codes[address]
    done(code ? Object.assign(new Error(`no ${address}`), { responseCode: code }) : null)
  },
})

describe('a message that waits', () => {
  it('is sent to all of its recipients with its stored bytes', async () => {
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
    // Published when it was claimed, and when it was done.
    expect(await shown(id as bigint)).toBe(2)
  })

  it('until `send_at` is not sent earlier', async () => {
    const { smtp, mailbox } = await at()
    await mailbox.queue({ sendAt: new Date(Date.now() + 4000) }, {})
    await mailbox.send()
    await mailbox.untilStatus(0, 2)
    await mailbox.untilStatus(2, 2)
    expect(smtp.delivered).toHaveLength(2)
  })

  it('is not sent again to accepted recipients; deferred ones are tried later, refused ones are not', async () => {
    const codes: Record<string, number> = { 'later@x.example': 450, 'never@x.example': 550 }
    const { smtp, mailbox } = await at(refusing(codes))
    const [id] = await mailbox.queue({ to: ['yes@x.example', 'later@x.example', 'never@x.example'] })
    await rows(`UPDATE mail_sent_messages SET unreachable_since = now() - interval '1 hour' WHERE id = ${id}`)
    await mailbox.send()
    const [deferred] = await eventually(async () => {
      const found = await mailbox.messages()
      expect(found).toMatchObject([{ status: 0, attempts: 1, phase: null, unreachable_since: null }])
      return found
    })
    expect(minutesUntil(deferred?.next_attempt_at ?? null)).toBeLessThanOrEqual(1)
    expect(minutesUntil(deferred?.next_attempt_at ?? null)).toBeGreaterThan(0)
    expect(await notified(mailbox)).toEqual([])
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

  it('fails at once when the server refuses it', async () => {
    const { smtp, mailbox } = await at({
      onMailFrom: (_, __, done) => done(Object.assign(new Error('no such sender'), { responseCode: 553 })),
    })
    await mailbox.queue({})
    await mailbox.send()
    const [failed] = await mailbox.untilStatus(3)
    expect(failed).toMatchObject({ error: '553 no such sender', attempts: 1 })
    expect(await notified(mailbox)).toEqual([failed?.id])
    expect(smtp.delivered).toEqual([])
    expect(await mailbox.row()).toMatchObject({ state: 'active', last_error: null })
  })

  it('fails when its bytes are lost, and others are sent', async () => {
    const { smtp, mailbox } = await at()
    await mailbox.queue({ bytes: null }, {})
    await mailbox.send()
    expect(await mailbox.untilStatus(3, 2)).toMatchObject([{ error: bytesLostText }, {}])
    expect(smtp.delivered).toHaveLength(1)
  })

  it('behind 120 others is sent by another run, so that other mailboxes have their turn', async () => {
    const { mailbox } = await at()
    await mailbox.queue(...Array.from({ length: 121 }, () => ({})))
    await mailbox.send()
    await mailbox.untilStatus(...Array(121).fill(2))
    await mailbox.untilIdle()
    // The first one was that of the new mailbox.
    const runs = await rows(`SELECT id FROM kit.job WHERE name = 'mail-sending' AND key = '${mailbox.id}'`)
    expect(runs).toHaveLength(1 + 2)
  })

  it('that ends the connection is tried later, and does not block others', async () => {
    const script = faultySmtp()
    const { mailbox } = await scripted({ ...script, answer: (line, of) => (line === 'Subject: bad' ? null : script.answer?.(line, of)) })
    await mailbox.queue({ bytes: 'Subject: bad\r\n\r\nx\r\n' }, {})
    await mailbox.send()
    const [bad] = await mailbox.untilStatus(0, 2)
    expect(bad).toMatchObject({ phase: null, error: 'The mail server did not answer as its protocol demands, or not in time.' })
    expect(bad?.attempts).toBeGreaterThan(0)
    expect(await mailbox.row()).toMatchObject({ state: 'active', last_error: null, failures: 0 })
  })

  it('fails when its mailbox was deleted', async () => {
    const { smtp, mailbox } = await at()
    await smtp.stop()
    await mailbox.queue({})
    await mailbox.send()
    // The failure is written before the next run is enqueued, with which the first run is over.
    const waiting = `name = 'mail-sending' AND key = '${mailbox.id}' AND state = 'waiting'`
    await eventually(async () => expect(await rows(`SELECT id FROM kit.job WHERE ${waiting}`)).toHaveLength(1), { timeoutMs: 30_000 })
    expect(await mailbox.row()).toMatchObject({ last_error: 'connect' })
    await rows(`DELETE FROM mail_servers WHERE id = ${mailbox.id}`)
    await rows(`UPDATE kit.job SET run_at = now(), due = now() WHERE ${waiting}`)
    expect(await mailbox.untilStatus(3)).toMatchObject([{ error: noMailboxText }])
    expect(await notified(mailbox)).toHaveLength(1)
  })
})

describe('the point of no return', () => {
  it('a message whose answer was lost is not sent again, and reports that', async () => {
    const { server, mailbox } = await scripted(faultySmtp('dot', 'cut'))
    await mailbox.queue({})
    await mailbox.send()
    await eventually(async () => expect(await mailbox.messages()).toMatchObject([{ status: 1, phase: 'dot' }]))
    await mailbox.send()
    expect(await mailbox.untilStatus(3)).toMatchObject([{ error: uncertainText, phase: null }])
    expect(await notified(mailbox)).toHaveLength(1)
    await mailbox.send()
    await mailbox.untilIdle()
    expect(server.received().split('\r\n.\r\n')).toHaveLength(2)
  })

  it('a message that a killed run had claimed is sent by the next one', async () => {
    const { smtp, mailbox } = await at()
    const [id] = await mailbox.queue({ phase: 'claimed' })
    await mailbox.send()
    // One increment by recovering the message, and one by the new claim.
    expect(await mailbox.untilStatus(2)).toMatchObject([{ fence: '2' }])
    expect(smtp.delivered).toHaveLength(1)
    expect(await shown(id as bigint)).toBe(3)
  })

  it('a message whose end a killed run may have sent is not sent by the next one', async () => {
    const { smtp, mailbox } = await at()
    await mailbox.queue({ phase: 'dot' })
    await mailbox.send()
    expect(await mailbox.untilStatus(3)).toMatchObject([{ error: uncertainText }])
    expect(smtp.delivered).toEqual([])
  })
})
