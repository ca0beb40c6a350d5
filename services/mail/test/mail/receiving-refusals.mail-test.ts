import { eventually } from '@caseway/testing'
import { type Dovecot, dovecot } from '@caseway/testing/dovecot'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type ImapFaults, imapProxy } from '../support/imap-proxy.js'
import { poison, type TestMailbox, type TestReceiving, testReceiving } from '../support/receiving.js'

const faults: ImapFaults = {}
let server: Dovecot
let proxy: Awaited<ReturnType<typeof imapProxy>>
let receiving: TestReceiving
beforeAll(async () => {
  server = await dovecot()
  proxy = await imapProxy({ host: server.host, port: server.ports.imap }, faults)
  receiving = await testReceiving(server)
})
afterAll(async () => {
  await receiving.stop()
  await proxy.stop()
  await server.stop()
})
beforeEach(() => {
  delete faults.refused
  delete faults.isSilent
})

const patience = { timeoutMs: 30_000 }
const rows = (sql: string) => receiving.service.database.rows<Record<string, unknown>>(sql)
const http = ({ office }: TestMailbox) => receiving.service.asExpert(office.expert)
const failures = ({ id }: TestMailbox) => rows(`SELECT uid::int, error FROM ingest_failures WHERE mail_server_id = ${id}`)
const deliver = async ({ imap }: TestMailbox, ...sent: string[]) => {
  for (const subject of sent) await imap.append('INBOX', Buffer.from(`From: a@caseway.test\r\nSubject: ${subject}\r\n\r\nx\r\n`))
}

/** Resolves when a complete run of the mailbox has begun and ended from now on. */
async function lookedAt(mailbox: TestMailbox): Promise<void> {
  const before = (await mailbox.row()).last_fetch_at
  await mailbox.receive()
  await eventually(async () => expect((await mailbox.row()).last_fetch_at).not.toEqual(before), patience)
}

const throughProxy = (changes = {}) => receiving.mailbox({ server_port: proxy.port, ...changes })

describe('a message that its server does not hand out', () => {
  it.each([
    ['', {}],
    [', of a mailbox without the files too', { download_attachments: 0 }],
  ])('is recorded, does not block the others, and is stored when the server hands it out%s', async (_, changes) => {
    const mailbox = await throughProxy(changes)
    await http(mailbox).post(`/mail_server/${mailbox.id}/pause`)
    await deliver(mailbox, 'One', 'Two', 'Three')
    faults.refused = 2
    await http(mailbox).post(`/mail_server/${mailbox.id}/resume`)
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['One', 'Three']), patience)
    await lookedAt(mailbox)
    expect([await failures(mailbox), (await mailbox.row()).last_error]).toEqual([[{ uid: 2, error: 'fetch' }], null])
    delete faults.refused
    await receiving.service.service.administration.mailboxes.replay(mailbox.id)
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['One', 'Three', 'Two']), patience)
    await eventually(async () => expect(await failures(mailbox)).toEqual([]), patience)
  })
})

describe('a message that could not be stored', () => {
  it('is left to its next retry by a backfill, also of another folder', async () => {
    const mailbox = await receiving.mailbox()
    await deliver(mailbox, 'One', poison)
    await eventually(async () => expect(await failures(mailbox)).toEqual([{ uid: 2, error: 'store' }]), patience)
    await lookedAt(mailbox)
    for (const folder_name of ['CLIENTS', 'OTHERS']) {
      const command = { command_id: 4, mail_server_id: Number(mailbox.id), folder_name, fetch_after_date: '2026-11-01' }
      const { body } = await http(mailbox).post<{ id: number }>('/mail_command', { MailCommand: command })
      const status = () => rows(`SELECT status FROM mail_commands WHERE mail_server_id = ${mailbox.id} ORDER BY id DESC LIMIT 1`)
      expect(body).toEqual({ id: expect.any(Number) })
      await eventually(async () => expect(await status()).toEqual([{ status: 'done' }]), patience)
      expect(await failures(mailbox)).toEqual([{ uid: 2, error: 'store' }])
    }
    await rows('ALTER TABLE mail_received_messages DROP CONSTRAINT poison')
    await receiving.service.service.administration.mailboxes.replay(mailbox.id)
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['One', poison]), patience)
  })
})

describe('an inbox whose state its server does not report', () => {
  it('is an error of the mailbox, and unchanged when the server reports its state again', async () => {
    const mailbox = await throughProxy()
    await deliver(mailbox, 'One', 'Two')
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['One', 'Two']), patience)
    await lookedAt(mailbox)
    const folder = () => rows(`SELECT id, last_uid FROM remote_folders WHERE mail_server_id = ${mailbox.id} AND path = 'INBOX'`)
    const before = await folder()
    faults.isSilent = true
    await mailbox.receive()
    await eventually(async () => expect((await mailbox.row()).last_error).toBe('protocol'), patience)
    expect([await folder(), await mailbox.places()]).toEqual([before, 2])
    faults.isSilent = false
    await deliver(mailbox, 'Three')
    await lookedAt(mailbox)
    await eventually(async () => expect(await mailbox.subjects()).toEqual(['One', 'Two', 'Three']), patience)
  })
})
