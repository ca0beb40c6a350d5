import { eventually } from '@caseway/testing'
import { type Dovecot, dovecot } from '@caseway/testing/dovecot'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type TestMailbox, type TestReceiving, testReceiving } from '../support/receiving.js'

let server: Dovecot
let receiving: TestReceiving
beforeAll(async () => {
  server = await dovecot()
  receiving = await testReceiving(server, { MAIL_BACKFILL_BYTES_PER_DAY: '1048576' })
})
afterAll(async () => {
  await receiving.stop()
  await server.stop()
})

const rows = (sql: string) => receiving.service.database.rows(sql)
const patience = { timeoutMs: 20_000 }
const days = ['2025-11-30', '2026-01-31', '2026-02-01', '2026-02-14', '2026-03-01', '2026-07-15']

/** Resolves when `count` messages are known and every folder was read to its end. */
const untilReceived = (mailbox: TestMailbox, count: number) =>
  eventually(async () => {
    expect(await mailbox.places()).toBe(count)
    const unread = `SELECT count(*) FILTER (WHERE compared_at IS NULL)::int FROM remote_folders WHERE mail_server_id = ${mailbox.id}`
    expect([await rows(unread), (await mailbox.row()).last_fetch_at]).toEqual([[{ count: 0 }], expect.any(Date)])
  }, patience)

/** A mailbox that is received from a day on, with older messages. */
async function mailboxWithOldMail(): Promise<TestMailbox> {
  const mailbox = await receiving.mailbox({ fetch_after_date: '2026-07-01' })
  for (const day of days) {
    const message = Buffer.from(`From: a@caseway.test\r\nSubject: ${day}\r\n\r\nx\r\n`)
    await mailbox.imap.append('INBOX', message, [], new Date(`${day}T12:00:00Z`))
  }
  await untilReceived(mailbox, days.length)
  expect(await subjects(mailbox)).toEqual(['2026-07-15'])
  return mailbox
}

const subjects = async (mailbox: TestMailbox) => (await mailbox.stored()).map(({ mail_subject: subject }) => subject).sort()

const give = async ({ id, office }: TestMailbox, command: object) => {
  const http = receiving.service.asExpert(office.expert)
  const body = { command_id: 4, mail_server_id: Number(id), folder_name: 'OTHERS', fetch_after_date: '2026-02-01', ...command }
  const given = await http.post<{ id: number }>('/mail_command', { MailCommand: body })
  expect([given.status, given.text]).toEqual([201, expect.anything()])
  const [row] = await receiving.service.database.rows<{ id: bigint }>(
    `SELECT max(id) AS id FROM mail_commands WHERE mail_server_id = ${id}`,
  )
  return row?.id
}

/** Continues backfills that wait for a retry, or for the next day. */
const tryNow = ({ id }: TestMailbox) =>
  rows(`UPDATE kit.job SET run_at = now() WHERE name = 'mail-backfill' AND key = '${id}' AND state = 'waiting'`)

const untilDone = (id: bigint | undefined) => untilEnded(id, 'done')

const untilEnded = (id: bigint | undefined, status: string) =>
  eventually(async () => {
    const [row] = await receiving.service.database.rows<Record<string, unknown>>(`SELECT * FROM mail_commands WHERE id = ${id}`)
    expect(row?.status).toBe(status)
    return row
  }, patience)

describe('a backfill', () => {
  it('of a mailbox that is paused has failed, and another one may begin', async () => {
    const mailbox = await receiving.mailbox({})
    const http = receiving.service.asExpert(mailbox.office.expert)
    expect((await http.post(`/mail_server/${mailbox.id}/pause`)).status).toBe(200)
    for (const fields of [{}, { dry_run: 1 }]) await untilEnded(await give(mailbox, fields), 'failed')
  })

  it('fetches the messages of its range that are not stored, and a second one none', async () => {
    const mailbox = await mailboxWithOldMail()
    const first = await untilDone(await give(mailbox, {}))
    expect(first).toMatchObject({ stored: 3, duplicates: 0, errors: 0, next_month: null })
    expect(first?.tasks_done).toBe(first?.tasks_total)
    expect(await subjects(mailbox)).toEqual(['2026-02-01', '2026-02-14', '2026-03-01', '2026-07-15'])
    expect(await untilDone(await give(mailbox, {}))).toMatchObject({ stored: 0, duplicates: 0 })
  })

  it('that is given before its mailbox was first received still fetches older messages', async () => {
    const mailbox = await receiving.mailbox({ fetch_after_date: '2026-07-01' })
    const http = receiving.service.asExpert(mailbox.office.expert)
    await http.post(`/mail_server/${mailbox.id}/pause`)
    const received = `SELECT FROM kit.job WHERE name = 'mailbox-sync' AND key = '${mailbox.id}' AND state <> 'done'`
    await eventually(async () => expect(await rows(received)).toEqual([]), patience)
    await rows(`DELETE FROM remote_folders WHERE mail_server_id = ${mailbox.id}`)
    await mailbox.imap.append('INBOX', Buffer.from('From: a@caseway.test\r\n\r\nx\r\n'), [], new Date('2026-02-14T12:00:00Z'))
    // Not by a request, which would also enqueue receiving.
    await rows(`UPDATE mail_servers SET state = 'active' WHERE id = ${mailbox.id}`)
    const id = await give(mailbox, {})
    const tried = `SELECT state, tries FROM kit.job WHERE name = 'mail-backfill' AND key = '${mailbox.id}'`
    await eventually(async () => expect(await rows(tried)).toEqual([{ state: 'waiting', tries: 1 }]), patience)
    await mailbox.receive()
    await untilReceived(mailbox, 1)
    await tryNow(mailbox)
    expect(await untilDone(id)).toMatchObject({ stored: 1 })
  })

  it('begins with a day in the time zone of the office, as receiving does', async () => {
    const mailbox = await receiving.mailbox({ fetch_after_date: '2026-07-01' })
    // Warsaw is UTC+2 in June, and UTC+1 in January.
    const moments = ['2026-01-31T22:59:59Z', '2026-01-31T23:00:00Z', '2026-06-30T21:59:59Z', '2026-06-30T22:00:00Z']
    for (const moment of moments) {
      const message = Buffer.from(`From: a@caseway.test\r\nSubject: ${moment}\r\n\r\nx\r\n`)
      await mailbox.imap.append('INBOX', message, [], new Date(moment))
    }
    await untilReceived(mailbox, moments.length)
    expect(await subjects(mailbox)).toEqual(moments.slice(3))
    await untilDone(await give(mailbox, { fetch_after_date: '2026-02-01' }))
    expect(await subjects(mailbox)).toEqual(moments.slice(1))
  })

  it('leaves out messages that belong to another folder', async () => {
    const mailbox = await mailboxWithOldMail()
    expect(await untilDone(await give(mailbox, { folder_name: 'CLIENTS' }))).toMatchObject({ stored: 0, discarded: 3 })
    expect(await subjects(mailbox)).toEqual(['2026-07-15'])
  })

  it('of the whole calendar ends soon', async () => {
    const mailbox = await mailboxWithOldMail()
    const done = await untilDone(await give(mailbox, { fetch_after_date: '0001-01-01' }))
    expect(done).toMatchObject({ stored: 5 })
    expect(Number(done?.tasks_total)).toBeGreaterThan(24_000)
  })

  it('that is cancelled while it runs stores nothing more', async () => {
    const mailbox = await receiving.mailbox({ fetch_after_date: '2026-07-01' })
    const total = 900
    for (let at = 0; at < total; at++) {
      const message = Buffer.from(`From: a@caseway.test\r\nSubject: ${at}\r\n\r\nx\r\n`)
      await mailbox.imap.append('INBOX', message, [], new Date('2026-02-14T12:00:00Z'))
    }
    await untilReceived(mailbox, total)
    const id = await give(mailbox, {})
    const { rows } = receiving.service.database
    const command = async () => (await rows<Record<string, unknown>>(`SELECT * FROM mail_commands WHERE id = ${id}`))[0]
    await eventually(async () => expect((await command())?.stored).toBeGreaterThan(0), { ...patience, everyMs: 5 })
    const http = receiving.service.asExpert(mailbox.office.expert)
    expect((await http.delete(`/mail_command/${id}`)).status).toBe(200)
    const jobs = `SELECT FROM kit.job WHERE name = 'mail-backfill' AND key = '${mailbox.id}' AND state <> 'done'`
    await eventually(async () => expect(await rows(jobs)).toEqual([]), patience)
    expect(await command()).toMatchObject({ status: 'cancelled', stored: expect.any(Number), ended: expect.any(Date) })
    const stored = (await mailbox.stored()).length
    expect(stored).toBeLessThan(total)
    expect(await untilDone(await give(mailbox, {}))).toMatchObject({ stored: total - stored })
    expect(await mailbox.stored()).toHaveLength(total)
  })

  it('counts the messages that it would store, and stores none, in a dry run', async () => {
    const mailbox = await mailboxWithOldMail()
    const http = receiving.service.asExpert(mailbox.office.expert)
    for (const [folder_name, counts] of [['OTHERS', { OTHERS: 3 }] as const, ['CLIENTS', {}] as const]) {
      const id = await give(mailbox, { dry_run: 1, folder_name })
      expect(await untilDone(id)).toMatchObject({ stored: 0, counts })
      expect((await http.get(`/mail_command/${id}`)).body).toMatchObject({ MailCommand: { stored: 0, counts } })
    }
    expect(await subjects(mailbox)).toEqual(['2026-07-15'])
  })

  it('that has used up the bytes of the day waits for the next day, while new messages are received', async () => {
    const mailbox = await receiving.mailbox({ fetch_after_date: '2026-07-01' })
    const sent = (subject: string, kilobytes: number) =>
      Buffer.from(`From: a@caseway.test\r\nSubject: ${subject}\r\n\r\n${`${'x'.repeat(62)}\r\n`.repeat(16 * kilobytes)}`)
    const http = receiving.service.asExpert(mailbox.office.expert)
    const folder = await http.post<{ id: number }>('/mail_folder', { MailFolder: { name: 'Elsewhere' } })
    const rule = { mail_folder_id: folder.body.id, conditions: [{ field: 'subject', operator: 'ends_with', value: 'elsewhere' }] }
    expect((await http.post('/mail_folder_rule', { MailFolderRule: { name: 'A rule', ...rule } })).status).toBe(201)
    await mailbox.imap.append('INBOX', sent('elsewhere', 1), [], new Date('2026-05-01T12:00:00Z'))
    for (const day of ['2026-05-01', '2026-05-02', '2026-05-03', '2026-04-01'])
      await mailbox.imap.append('INBOX', sent(day, 600), [], new Date(`${day}T12:00:00Z`))
    await untilReceived(mailbox, 5)
    const id = await give(mailbox, {})
    const progress = async () => (await http.get<{ MailCommand: Record<string, unknown> }>(`/mail_command/${id}`)).body.MailCommand
    const waits = { status: 'in_progress', waits_until: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:00:00$/) }
    await eventually(async () => expect(await progress()).toMatchObject(waits), patience)
    expect(await subjects(mailbox)).toEqual(['2026-05-01', '2026-05-02'])

    await mailbox.imap.append('INBOX', sent('new', 1))
    await eventually(async () => expect(await subjects(mailbox)).toContain('new'), patience)

    const nextDay = async () => {
      await rows(`UPDATE mail_commands SET bytes_day = bytes_day - 1 WHERE mail_server_id = ${mailbox.id}`)
      await tryNow(mailbox)
    }
    await nextDay()
    expect(await untilDone(id)).toMatchObject({ stored: 4, discarded: 1, waits_until: null })
    expect(await subjects(mailbox)).toEqual(['2026-04-01', '2026-05-01', '2026-05-02', '2026-05-03', 'new'])
  })
})
