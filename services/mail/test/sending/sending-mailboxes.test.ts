import { eventually, type HttpClient } from '@caseway/testing'
import { afterAll, describe, expect, it } from '@jest/globals'
import { noMailboxText, noSenderText, uncertainText } from '../../src/sending/queued-message.js'
import { faultySmtp } from '../support/faulty-smtp.js'
import { testSending } from '../support/sending.js'
import { minutesUntil, sendingMailboxes } from '../support/sending-mailboxes.js'

const perHour = 20
const sending = await testSending({ MAIL_MESSAGES_PER_HOUR: String(perHour) })
afterAll(() => sending.stop())

const { servers, at, scripted, rows, notified } = sendingMailboxes(sending)

describe('a mailbox', () => {
  it('whose server is unavailable keeps its messages, and sends them when it is corrected', async () => {
    const { smtp, mailbox } = await at()
    const { port } = smtp
    await smtp.stop()
    await mailbox.queue({}, {}, {}, {})
    await mailbox.send()
    await eventually(async () => expect(await mailbox.row()).toMatchObject({ last_error: 'connect', state: 'active' }))
    const error = 'The mail server did not answer.'
    expect(await mailbox.untilStatus(0, 0, 0, 0)).toMatchObject(Array(4).fill({ attempts: 0, phase: null, error }))
    const [later] = await mailbox.queue({ sendAt: new Date(Date.now() + 3_600_000) })
    await mailbox.send()
    await eventually(async () => expect(Number((await mailbox.row()).failures)).toBeGreaterThan(1))
    expect(await rows(`SELECT id FROM mail_sent_messages WHERE mail_server_id = ${mailbox.id} AND error IS NOT NULL`)).toHaveLength(4)
    await rows(`DELETE FROM mail_sent_messages WHERE id = ${later}`)
    await servers.smtp({}, port)
    await mailbox.send()
    expect(await mailbox.untilStatus(2, 2, 2, 2)).toMatchObject(Array(4).fill({ error: null }))
    await eventually(async () => expect(await mailbox.row()).toMatchObject({ last_error: null, failures: 0 }))
  })

  it('whose server is unavailable for a day fails due messages, and notifies their authors', async () => {
    const { smtp, mailbox } = await at()
    const { port } = smtp
    await smtp.stop()
    const [long, short] = await mailbox.queue({}, {})
    const isTried = async (failures: number) => {
      await mailbox.send()
      await eventually(async () => expect(Number((await mailbox.row()).failures)).toBeGreaterThanOrEqual(failures))
    }
    await isTried(1)
    await mailbox.untilStatus(0, 0)
    const since = (id: bigint | undefined, hours: number) =>
      rows(
        `UPDATE mail_sent_messages SET error = 'Another.', unreachable_since = unreachable_since - interval '${hours} hours' WHERE id = ${id}`,
      )
    await Promise.all([since(long, 24), since(short, 23)])
    await isTried(2)
    const error = 'The mail server did not answer.'
    expect(await mailbox.untilStatus(3, 0)).toMatchObject([{ error }, { error }])
    const hours = `extract(epoch FROM now() - unreachable_since)::int / 3600 AS hours`
    expect(await rows(`SELECT ${hours} FROM mail_sent_messages WHERE id = ${short}`)).toEqual([{ hours: 23 }])
    expect(await notified(mailbox)).toEqual([String(long)])
    await servers.smtp({}, port)
    await mailbox.send()
    expect(await mailbox.untilStatus(3, 2)).toMatchObject([{}, { unreachable_since: null }])
    const http = sending.service.asExpert(mailbox.office.expert)
    const again = { MailSentMysqlMessage: { status: 0, mail_to_address: 'two@elsewhere.example' } }
    expect((await http.put(`/mail_sent_mysql_message/${long}`, again)).status).toBe(200)
    expect(await mailbox.untilStatus(2, 2)).toMatchObject([{ unreachable_since: null }, {}])
  })

  it('whose server is unavailable gets another day when it is corrected', async () => {
    const { smtp, mailbox } = await at()
    await smtp.stop()
    await mailbox.queue({})
    await rows(`UPDATE mail_sent_messages SET unreachable_since = now() - interval '2 days' WHERE mail_server_id = ${mailbox.id}`)
    const http = sending.service.asExpert(mailbox.office.expert)
    expect((await http.post(`/mail_server/${mailbox.id}/resume`)).status).toBe(200)
    await eventually(async () => expect(Number((await mailbox.row()).failures)).toBeGreaterThan(0))
    expect(await mailbox.untilStatus(0)).toMatchObject([{ error: 'The mail server did not answer.' }])
  })

  it('whose server accepts fewer connections sends over those', async () => {
    const { smtp, mailbox } = await at({ maxClients: 1 })
    await mailbox.queue(...Array(6).fill({}))
    await mailbox.send()
    await mailbox.untilStatus(...Array(6).fill(2))
    // Two connections were refused, and not opened again for each message.
    expect(smtp.connections().opened).toBe(3)
    expect(smtp.delivered).toHaveLength(6)
    expect(await mailbox.row()).toMatchObject({ last_error: null, failures: 0 })
  })

  it('is stopped when its login was refused five times, and sends when it is corrected', async () => {
    let isRight = false
    let logins = 0
    const { mailbox } = await at({
      authOptional: false,
      onAuth: (_, __, done) => {
        logins += 1
        return isRight ? done(null, { user: 'anna' }) : done(new Error('No.'))
      },
    })
    await mailbox.queue({}, {}, {}, {})
    for (const refused_logins of [1, 2, 3, 4, 5]) {
      await mailbox.send()
      await eventually(async () => expect(await mailbox.row()).toMatchObject({ refused_logins, last_error: 'auth' }), { timeoutMs: 20_000 })
    }
    expect(await mailbox.row()).toMatchObject({ state: 'auth_failed' })
    await mailbox.send()
    await mailbox.untilIdle()
    expect(logins).toBe(5)
    expect(await mailbox.messages()).toMatchObject(Array(4).fill({ status: 0 }))
    isRight = true
    const http = sending.service.asExpert(mailbox.office.expert)
    expect((await http.put(`/mail_server/${mailbox.id}`, { MailServer: { user_password: 'right' } })).status).toBe(200)
    await mailbox.untilStatus(2, 2, 2, 2)
  })

  it.each([
    ['is deleted', noMailboxText, (http: HttpClient, id: number) => http.delete(`/mail_server/${id}`)],
    [
      'receives from now on',
      noSenderText,
      (http: HttpClient, id: number) => http.put(`/mail_server/${id}`, { MailServer: { server_protocol: 2, user_password: 'x' } }),
    ],
  ])('that was stopped and %s fails its messages, and notifies their authors', async (_, error, silence) => {
    const { smtp, mailbox } = await at()
    await rows(`UPDATE mail_servers SET state = 'auth_failed' WHERE id = ${mailbox.id}`)
    const ids = await mailbox.queue({}, { sendAt: new Date(Date.now() + 3_600_000) })
    expect((await silence(sending.service.asExpert(mailbox.office.expert), mailbox.id)).status).toBe(200)
    expect(await mailbox.untilStatus(3, 3)).toMatchObject([{ error }, { error }])
    expect((await notified(mailbox)).sort()).toEqual(ids.map(String).sort())
    expect(smtp.delivered).toEqual([])
  })

  it('that is deleted leaves a message whose end was sent uncertain', async () => {
    const { mailbox } = await at()
    await mailbox.queue({ phase: 'dot' }, {})
    expect((await sending.service.asExpert(mailbox.office.expert).delete(`/mail_server/${mailbox.id}`)).status).toBe(200)
    expect(await mailbox.untilStatus(3, 3)).toMatchObject([{ error: uncertainText }, { error: noMailboxText }])
  })

  it('that receives from now on still settles a message whose end was sent', async () => {
    const { mailbox } = await at()
    await mailbox.queue({ phase: 'dot' }, {})
    const http = sending.service.asExpert(mailbox.office.expert)
    await http.put(`/mail_server/${mailbox.id}`, { MailServer: { server_protocol: 3, user_password: 'x' } })
    expect(await mailbox.untilStatus(3, 3)).toMatchObject([{ error: uncertainText }, { error: noSenderText }])
  })

  it('sends its hourly limit of messages, and the others wait', async () => {
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

  it('that hangs does not block others', async () => {
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
