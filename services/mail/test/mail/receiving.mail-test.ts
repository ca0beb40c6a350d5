import { randomBytes, randomUUID } from 'node:crypto'
import { eventually } from '@caseway/testing'
import { type Dovecot, dovecot } from '@caseway/testing/dovecot'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { poison, sha256Of, type TestMailbox, type TestReceiving, testReceiving, untilCount } from '../support/receiving.js'

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

const patience = { timeoutMs: 8_000 }
/** The interval between two runs (`testReceiving`). */
const intervalMs = 5_000
const message = (subject = 'Hello', body = 'The body.') =>
  Buffer.from(
    `From: ann@caseway.test\r\nTo: bob@caseway.test\r\nSubject: ${subject}\r\nMessage-ID: <${randomUUID()}@caseway.test>\r\n\r\n${body}\r\n`,
  )
const untilSynchronised = (mailbox: TestMailbox) =>
  eventually(async () => expect((await mailbox.row()).last_fetch_at).not.toBeNull(), patience)

describe('a mailbox that is received', () => {
  it('has every message once, byte for byte', async () => {
    const mailbox = await receiving.mailbox()
    const sent = Array.from({ length: 250 }, (_, at) => message(`${at}`))
    for (const one of sent) await mailbox.imap.append('INBOX', one)
    const stored = await untilCount(mailbox, 250, patience)
    expect(stored.map(({ sha256 }) => sha256).sort()).toEqual(sent.map(sha256Of).sort())
    for (const [at, one] of stored.entries()) if (at % 50 === 0) expect(sha256Of(await mailbox.bytesOf(one))).toBe(one.sha256)
  })

  it('stores arriving messages without waiting for the next run', async () => {
    const mailbox = await receiving.mailbox()
    await untilSynchronised(mailbox)
    const startedAt = performance.now()
    await mailbox.imap.append('INBOX', message())
    await untilCount(mailbox, 1, patience)
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  it('is received again at once when its server ends a long-lived connection', async () => {
    const mailbox = await receiving.mailbox()
    await untilSynchronised(mailbox)
    const fetchedAt = async () => (await mailbox.row()).last_fetch_at as Date
    const first = await fetchedAt()
    const lasted = async () => expect((await fetchedAt()).getTime() - first.getTime()).toBeGreaterThan(intervalMs)
    await eventually(lasted, { timeoutMs: 3 * intervalMs })
    const last = await fetchedAt()
    await server.doveadm('kick', mailbox.user)
    await eventually(async () => expect((await fetchedAt()).getTime()).toBeGreaterThan(last.getTime()), { timeoutMs: intervalMs })
    expect(await mailbox.row()).toMatchObject({ last_error: null, failures: 0 })
  })

  it('counts a failure when its server ends the connection soon after it was opened', async () => {
    const mailbox = await receiving.mailbox()
    await untilSynchronised(mailbox)
    await server.doveadm('kick', mailbox.user)
    await eventually(async () => expect(await mailbox.row()).toMatchObject({ last_error: 'connect', failures: 1 }), patience)
  })

  it('has a large message', async () => {
    const mailbox = await receiving.mailbox()
    const large = message('Large', randomBytes(8_000_000).toString('base64').replaceAll(/.{76}/g, '$&\r\n'))
    await mailbox.imap.append('INBOX', large)
    const [stored] = await untilCount(mailbox, 1, patience)
    expect(stored).toMatchObject({ sha256: sha256Of(large), parse_state: 'parsed' })
  })

  it('has a message in two folders once, with two places', async () => {
    const mailbox = await receiving.mailbox()
    const one = message()
    await mailbox.imap.append('INBOX', one)
    await mailbox.imap.append('Sent', one)
    await eventually(async () => expect(await mailbox.places()).toBe(2), patience)
    expect(await mailbox.stored()).toHaveLength(1)
  })

  it('synchronises read flags in both directions', async () => {
    const mailbox = await receiving.mailbox()
    await mailbox.imap.append('INBOX', message('There'))
    await mailbox.imap.append('INBOX', message('Here'))
    await untilCount(mailbox, 2, patience)
    await mailbox.imap.mailboxOpen('INBOX')
    await mailbox.imap.messageFlagsAdd('1', ['\\Seen'], { uid: true })
    await eventually(async () => expect((await mailbox.stored()).map((one) => one.is_read)).toEqual([true, false]), patience)
    await receiving.service.database.rows(
      `UPDATE message_locations SET seen_to_set = true WHERE message_id = ${(await mailbox.stored())[1]?.id}`,
    )
    await eventually(async () => {
      const flags = await mailbox.imap.fetchAll('1:*', { flags: true }, { uid: true })
      expect(flags.map((one) => one.flags?.has('\\Seen'))).toEqual([true, true])
    }, patience)
  })

  it('keeps a message that is deleted on the server, without its place', async () => {
    const mailbox = await receiving.mailbox()
    await mailbox.imap.append('INBOX', message())
    await untilCount(mailbox, 1, patience)
    await mailbox.imap.mailboxOpen('INBOX')
    await mailbox.imap.messageDelete('1:*')
    await eventually(async () => expect(await mailbox.places()).toBe(0), patience)
    expect(await mailbox.stored()).toHaveLength(1)
  })

  it('has a draft once that a mail client has saved again', async () => {
    const mailbox = await receiving.mailbox()
    const folders = async () => {
      const sql = `SELECT folder_name AS folder FROM mail_received_messages WHERE mail_server_id = ${mailbox.id} ORDER BY 1`
      return (await receiving.service.database.rows<{ folder: string }>(sql)).map(({ folder }) => folder)
    }
    await mailbox.imap.append('Drafts', message('Saved'), ['\\Draft'])
    await eventually(async () => expect(await folders()).toEqual(['DRAFTS']), patience)
    await untilSynchronised(mailbox)
    await mailbox.imap.mailboxOpen('Drafts')
    await mailbox.imap.append('Drafts', message('Saved again'), ['\\Draft'])
    await mailbox.imap.messageDelete('1')
    await eventually(async () => expect(await folders()).toEqual(['DRAFTS', 'TRASH']), { timeoutMs: 3 * intervalMs })
  })

  it('keeps the messages of a folder that is deleted on the server, and forgets the folder', async () => {
    const mailbox = await receiving.mailbox()
    await mailbox.imap.mailboxCreate('Projects')
    await mailbox.imap.append('Projects', message())
    await mailbox.receive()
    await untilCount(mailbox, 1, patience)
    await untilSynchronised(mailbox)
    await mailbox.imap.mailboxDelete('Projects')
    const paths = () =>
      receiving.service.database.rows<{ path: string }>(
        `SELECT path FROM remote_folders WHERE mail_server_id = ${mailbox.id} ORDER BY path`,
      )
    await eventually(async () => {
      await mailbox.receive()
      expect((await paths()).map(({ path }) => path)).toEqual(['Drafts', 'INBOX', 'Junk', 'Sent', 'Trash'])
    }, patience)
    expect([await mailbox.stored(), await mailbox.places()]).toEqual([[expect.anything()], 0])
  })

  it('loses and stores twice nothing when the server renumbers its messages', async () => {
    const mailbox = await receiving.mailbox()
    for (const subject of ['1', '2', '3']) await mailbox.imap.append('INBOX', message(subject))
    await untilCount(mailbox, 3, patience)
    await server.doveadm('mailbox', 'update', '-u', mailbox.user, '--uid-validity', '4242', 'INBOX')
    const rows = () =>
      receiving.service.database.rows<{ epoch: number; uid_validity: bigint }>(
        `SELECT epoch, uid_validity FROM remote_folders WHERE mail_server_id = ${mailbox.id} AND path = 'INBOX'`,
      )
    // Renumbering ends the connection of a run in IDLE, after which the mailbox is not received for a while.
    await eventually(async () => {
      await mailbox.receive()
      expect(await rows()).toEqual([{ epoch: 2, uid_validity: expect.anything() }])
    }, patience)
    await mailbox.imap.append('INBOX', message('4'))
    await untilCount(mailbox, 4, patience)
    await eventually(async () => expect(await mailbox.places()).toBe(4), patience)
  })

  it('records a message that cannot be stored, and stores the others', async () => {
    const mailbox = await receiving.mailbox()
    for (const one of [message('1'), message(poison), message('2')]) await mailbox.imap.append('INBOX', one)
    const stored = await untilCount(mailbox, 2, patience)
    expect(stored.map(({ mail_subject: subject }) => subject)).toEqual(['1', '2'])
    const failures = await eventually(async () => {
      const found = await receiving.service.database.rows(`SELECT error, tries FROM ingest_failures WHERE mail_server_id = ${mailbox.id}`)
      expect(found).toHaveLength(1)
      return found
    }, patience)
    expect(failures).toEqual([{ error: 'store', tries: 1 }])
  })

  it('is compared completely with its server by a resync', async () => {
    const mailbox = await receiving.mailbox()
    for (const subject of ['1', '2']) await mailbox.imap.append('INBOX', message(subject))
    await untilCount(mailbox, 2, patience)
    await untilSynchronised(mailbox)
    await receiving.service.database.rows(`DELETE FROM message_locations WHERE message_id = ${(await mailbox.stored())[0]?.id}`)
    expect(await receiving.service.service.administration.mailboxes.resync(mailbox.id)).toBe(true)
    await eventually(async () => expect(await mailbox.places()).toBe(2), patience)
    expect(await mailbox.stored()).toHaveLength(2)
  })

  it('leaves out messages from before its first day', async () => {
    const mailbox = await receiving.mailbox({ fetch_after_date: '2026-01-01' })
    await mailbox.imap.append('INBOX', message('old'), [], new Date('2025-12-31T12:00:00Z'))
    await mailbox.imap.append('INBOX', message('new'), [], new Date('2026-01-02T12:00:00Z'))
    await eventually(async () => expect(await mailbox.places()).toBe(2), patience)
    expect((await mailbox.stored()).map(({ mail_subject: subject }) => subject)).toEqual(['new'])
  })

  it('is tried again later when its server refuses the login', async () => {
    const mailbox = await receiving.mailbox({ user_password: 'another' })
    await eventually(
      async () => expect(await mailbox.row()).toMatchObject({ last_error: 'auth', failures: 1, refused_logins: 1, state: 'active' }),
      patience,
    )
  })
})
