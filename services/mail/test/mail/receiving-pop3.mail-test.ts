import { randomBytes, randomUUID } from 'node:crypto'
import { eventually } from '@caseway/testing'
import { type Dovecot, dovecot } from '@caseway/testing/dovecot'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { hostileMessages } from '../support/hostile-messages.js'
import { poison, sha256Of, type TestMailbox, type TestReceiving, testReceiving, untilStored } from '../support/receiving.js'

let server: Dovecot
let receiving: TestReceiving
beforeAll(async () => {
  server = await dovecot()
  receiving = await testReceiving(server)
})
afterAll(async () => {
  await receiving.stop()
  await server.stop()
})

const patience = { timeoutMs: 40_000 }
const pop3Mailbox = (changes: object = {}) => receiving.mailbox({ server_protocol: 3, server_port: server.ports.pop3, ...changes })
const message = (subject: string = randomUUID(), { date = '', body = 'The body.' } = {}) =>
  Buffer.from(`From: ann@caseway.test\r\n${date && `Date: ${date}\r\n`}Subject: ${subject}\r\n\r\n${body}\r\n`)
/** POP3 transfers lines, so that the last one has an end as well. */
const ended = (one: Buffer) => (one.toString('latin1').endsWith('\r\n') ? one : Buffer.concat([one, Buffer.from('\r\n')]))
const there = async (mailbox: TestMailbox) => (await mailbox.imap.status('INBOX', { messages: true })) || { messages: undefined }
const rows = (sql: string) => receiving.service.database.rows<Record<string, unknown>>(sql)
const append = async ({ imap }: TestMailbox, ...messages: Buffer[]) => {
  for (const one of messages) await imap.append('INBOX', one)
}
const syncs = async ({ id }: TestMailbox) => {
  const [before] = await rows(`SELECT last_fetch_at FROM mail_servers WHERE id = ${id}`)
  await eventually(async () => {
    const [now] = await rows(`SELECT last_fetch_at FROM mail_servers WHERE id = ${id}`)
    expect(now?.last_fetch_at).not.toEqual(before?.last_fetch_at)
  }, patience)
}

describe('a POP3 mailbox', () => {
  it('has every message once, byte for byte, and nothing is deleted on the server', async () => {
    const mailbox = await pop3Mailbox()
    const sent = [
      ...Array.from({ length: 130 }, (_, at) => message(`${at}`, { body: `${'.'.repeat(at % 3)}\r\n.x` })),
      ...Object.values(hostileMessages).map(ended),
    ]
    await append(mailbox, ...sent)
    await untilStored(mailbox, sent)
    expect(await mailbox.places()).toBe(sent.length)
    for (const one of (await mailbox.stored()).slice(-20)) expect(sha256Of(await mailbox.bytesOf(one))).toBe(one.sha256)
    const later = message('later')
    await append(mailbox, later)
    await untilStored(mailbox, [...sent, later])
    expect(await there(mailbox)).toMatchObject({ messages: sent.length + 1 })
  })

  it('has a large message', async () => {
    const mailbox = await pop3Mailbox()
    const large = message('Large', { body: randomBytes(8_000_000).toString('base64').replaceAll(/.{76}/g, '$&\r\n') })
    await append(mailbox, large, message('Small'))
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['Large', 'Small']), patience)
    expect((await mailbox.stored())[0]).toMatchObject({ sha256: sha256Of(large), parse_state: 'parsed' })
    expect(await rows(`SELECT size FROM mail_received_messages WHERE mail_server_id = ${mailbox.id} ORDER BY id LIMIT 1`)).toEqual([
      { size: large.length },
    ])
  })

  it('leaves out messages from before its first day, until a backfill fetches them', async () => {
    const mailbox = await pop3Mailbox({ fetch_after_date: '2026-06-01' })
    for (const day of ['15 Jan 2026', '15 Feb 2026', '15 Jul 2026']) await append(mailbox, message(day, { date: `${day} 12:00:00 +0000` }))
    await eventually(async () => expect(await mailbox.places()).toBe(3), patience)
    expect(await mailbox.subjects()).toEqual(['15 Jul 2026'])
    await syncs(mailbox)
    expect(await mailbox.subjects()).toEqual(['15 Jul 2026'])

    const command = { command_id: 4, mail_server_id: Number(mailbox.id), folder_name: 'OTHERS', fetch_after_date: '2026-02-01' }
    const http = receiving.service.asExpert(mailbox.office.expert)
    expect((await http.post('/mail_command', { MailCommand: command })).status).toBe(201)
    await eventually(
      async () =>
        expect(await rows(`SELECT status, stored FROM mail_commands WHERE mail_server_id = ${mailbox.id}`)).toEqual([
          { status: 'done', stored: 1 },
        ]),
      patience,
    )
    expect((await mailbox.subjects()).sort()).toEqual(['15 Feb 2026', '15 Jul 2026'])
  })

  it('records a message that cannot be stored, stores the others, and retries it', async () => {
    const mailbox = await pop3Mailbox()
    await append(mailbox, message('1'), message(poison), message('2'))
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['1', '2']), patience)
    const failures = () => rows(`SELECT error, tries, uidl IS NOT NULL AS named FROM ingest_failures WHERE mail_server_id = ${mailbox.id}`)
    await eventually(async () => expect(await failures()).toEqual([{ error: 'store', tries: 1, named: true }]), patience)
    await rows(`UPDATE ingest_failures SET next_try = now() WHERE mail_server_id = ${mailbox.id}`)
    await eventually(async () => expect(await failures()).toEqual([{ error: 'store', tries: 2, named: true }]), patience)
    expect(await mailbox.places()).toBe(2)
  })

  it('keeps a message that is deleted on the server, without its place', async () => {
    const mailbox = await pop3Mailbox()
    await append(mailbox, message('1'), message('2'))
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['1', '2']), patience)
    await mailbox.imap.mailboxOpen('INBOX')
    await mailbox.imap.messageDelete('1')
    await rows(`UPDATE remote_folders SET compared_at = now() - interval '2 hours' WHERE mail_server_id = ${mailbox.id}`)
    await eventually(async () => expect(await mailbox.places()).toBe(1), patience)
    expect(await mailbox.subjects()).toEqual(['1', '2'])
  })

  it('loses and stores twice nothing when the server gives its messages other ids', async () => {
    const mailbox = await pop3Mailbox()
    await append(mailbox, message('1'), message('2'))
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['1', '2']), patience)
    const ids = () =>
      rows(`SELECT uidl FROM message_locations JOIN remote_folders ON id = remote_folder_id WHERE mail_server_id = ${mailbox.id}`)
    const before = await ids()
    await server.doveadm('mailbox', 'update', '-u', mailbox.user, '--uid-validity', '4242', 'INBOX')
    await append(mailbox, message('3'))
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['1', '2', '3']), patience)
    await rows(`UPDATE remote_folders SET compared_at = now() - interval '2 hours' WHERE mail_server_id = ${mailbox.id}`)
    await eventually(async () => expect(await mailbox.places()).toBe(3), patience)
    expect(await ids()).not.toEqual(expect.arrayContaining(before))
    expect(await mailbox.subjects()).toEqual(['1', '2', '3'])
  })

  it('that was received over IMAP before loses and stores twice nothing', async () => {
    const mailbox = await receiving.mailbox()
    await append(mailbox, message('1'), message('2'))
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['1', '2']), patience)
    const changes = { server_protocol: 3, server_port: server.ports.pop3, user_password: server.password }
    const changed = await receiving.service.asExpert(mailbox.office.expert).put(`/mail_server/${mailbox.id}`, { MailServer: changes })
    expect(changed.status).toBe(200)
    await append(mailbox, message('3'))
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['1', '2', '3']), patience)
    const places = `SELECT uidl FROM message_locations JOIN remote_folders ON id = remote_folder_id WHERE mail_server_id = ${mailbox.id}`
    await eventually(
      async () => expect((await rows(places)).map(({ uidl }) => typeof uidl)).toEqual(['string', 'string', 'string']),
      patience,
    )
  })

  it('keeps read flags here, though its server has none', async () => {
    const mailbox = await pop3Mailbox()
    await append(mailbox, message('1'))
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['1']), patience)
    const [{ id } = { id: 0n }] = await mailbox.stored()
    const http = receiving.service.asExpert(mailbox.office.expert)
    expect((await http.put(`/mail_received_mysql_message/${id}`, { MailReceivedMysqlMessage: { is_read: '1' } })).status).toBe(200)
    await eventually(
      async () =>
        expect(await rows(`SELECT seen, seen_to_set FROM message_locations WHERE message_id = ${id}`)).toEqual([
          { seen: true, seen_to_set: null },
        ]),
      patience,
    )
    expect(await mailbox.stored()).toMatchObject([{ is_read: true }])
  })

  it('loses and doubles nothing when its lease is lost, and when its server ends, in the middle', async () => {
    const mailbox = await pop3Mailbox()
    const sent = Array.from({ length: 400 }, () => message())
    await append(mailbox, ...sent)
    const isBegun = () => eventually(async () => expect((await mailbox.stored()).length).toBeGreaterThan(0), patience)
    await isBegun()
    await rows(`UPDATE kit.job SET fence = fence + 1 WHERE name = 'mailbox-sync' AND key = '${mailbox.id}' AND lease_until IS NOT NULL`)
    await server.kill()
    await server.start()
    await receiving.service.asExpert(mailbox.office.expert).put(`/mail_server/${mailbox.id}`, { MailServer: { user_name: 'Again' } })
    await untilStored(mailbox, sent)
    expect(await mailbox.places()).toBe(400)
  })

  it('is tried again later when its server refuses the login', async () => {
    const mailbox = await pop3Mailbox({ user_password: 'another' })
    await eventually(
      async () => expect(await mailbox.row()).toMatchObject({ last_error: 'auth', failures: 1, refused_logins: 1, state: 'active' }),
      patience,
    )
  })
})
