import { randomBytes } from 'node:crypto'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { caseway, documentOf, type Installation, installation } from './support/installation.js'

let place: Installation
beforeAll(async () => {
  place = await installation()
})
afterAll(() => place.drop())

/** Creates a stopped mailbox. */
async function stoppedMailbox(): Promise<string> {
  const [row] = await place.mail.rows<{ id: string }>(
    `INSERT INTO mail_servers (customer_id, user_id, user_name, user_email, user_login, server_protocol, server_address, server_port,
       server_encryption, state, last_error, failures)
     VALUES ($1, $2, '', 'a@office.example', 'a', 2, 'imap.office.example', 993, 2, 'auth_failed', 'auth', 5) RETURNING id::text`,
    [randomId(), randomId()],
  )
  if (!row) throw new Error('There is no mailbox.')
  return row.id
}
const stateOf = async (id: string) => (await place.mail.rows('SELECT state, last_error, failures FROM mail_servers WHERE id = $1', [id]))[0]

describe('mail boxes', () => {
  it('lists mailboxes of all offices, those with the most failures first', async () => {
    const id = await stoppedMailbox()
    const { mailboxes } = documentOf(await place.caseway('mail', 'boxes', '--json'))
    expect(mailboxes).toContainEqual({
      ...{
        id,
        customer_id: expect.any(String),
        protocol: 'imap',
        server_address: 'imap.office.example',
        state: 'auth_failed',
        last_error: 'auth',
      },
      ...{ failures: 5, last_fetch_at: null },
    })
    expect((await place.caseway('mail', 'boxes')).out).toMatch(new RegExp(`^${id} .* imap +imap.office.example +auth_failed`, 'm'))
  })
})

describe('mail pause and mail resume', () => {
  it('pause a mailbox, and start it again', async () => {
    const id = await stoppedMailbox()
    expect(documentOf(await place.caseway('mail', 'pause', '--mailbox', id, '--json'))).toEqual({ id })
    expect(await stateOf(id)).toMatchObject({ state: 'paused' })
    expect(await place.caseway('mail', 'resume', '--mailbox', id)).toMatchObject({ code: 0, out: `Mailbox ${id} is resumed.` })
    expect(await stateOf(id)).toEqual({ state: 'active', last_error: null, failures: 0 })
  })

  it.each(['pause', 'resume'])('mail %s of a mailbox that does not exist ends with 1', async (name) => {
    expect(await place.caseway('mail', name, '--mailbox', '99')).toMatchObject({ code: 1, err: 'There is no mailbox 99.' })
  })
})

describe('mail resync', () => {
  it('requests a complete comparison of a mailbox with its server', async () => {
    const id = await stoppedMailbox()
    await place.mail.rows(
      `INSERT INTO remote_folders (customer_id, mail_server_id, path, uid_validity, last_uid, uid_next, highest_modseq, compared_at)
       SELECT customer_id, id, 'INBOX', 1, 9, 10, 7, now() FROM mail_servers WHERE id = $1`,
      [id],
    )
    expect(await place.caseway('mail', 'resync', '--mailbox', id)).toMatchObject({
      code: 0,
      out: `Mailbox ${id} will be compared with its server.`,
    })
    const folders = 'SELECT last_uid, uid_next, highest_modseq, compared_at FROM remote_folders WHERE mail_server_id = $1'
    expect(await place.mail.rows(folders, [id])).toEqual([{ last_uid: '9', uid_next: null, highest_modseq: null, compared_at: null }])
    expect(await place.mail.rows(`SELECT state FROM kit.job WHERE name = 'mailbox-sync' AND key = $1`, [id])).toEqual([{ state: 'ready' }])
  })

  it('of a sending mailbox exits with 1', async () => {
    const id = await stoppedMailbox()
    await place.mail.rows('UPDATE mail_servers SET server_protocol = 1 WHERE id = $1', [id])
    expect(await place.caseway('mail', 'resync', '--mailbox', id)).toMatchObject({
      code: 1,
      err: `There is no mailbox ${id} that receives.`,
    })
  })
})

describe('mail failures and mail replay', () => {
  it('list messages that could not be stored, and retry them', async () => {
    const id = await stoppedMailbox()
    expect((await place.caseway('mail', 'failures', '--mailbox', id)).out).toBe('Every message is stored.')
    await place.mail.rows(
      `WITH folder AS (
         INSERT INTO remote_folders (customer_id, mail_server_id, path) SELECT customer_id, id, 'INBOX' FROM mail_servers WHERE id = $1 RETURNING *
       ) INSERT INTO ingest_failures (customer_id, mail_server_id, remote_folder_id, epoch, uid, error, tries, next_try)
       SELECT customer_id, mail_server_id, id, 1, uid, 'store', 3, now() + interval '1 hour' FROM folder, unnest(ARRAY[7, 8]) AS uid`,
      [id],
    )
    const { failures } = documentOf(await place.caseway('mail', 'failures', '--mailbox', id, '--json'))
    const time = expect.stringMatching(/^\d{4}-/)
    expect(failures).toEqual(
      ['7', '8'].map((uid) => ({ folder: 'INBOX', uid, uidl: null, error: 'store', tries: 3, next_try: time, created: time })),
    )
    expect((await place.caseway('mail', 'failures', '--mailbox', id, '-n', '1')).out).toMatch(/^FOLDER.*\nINBOX +7 +store +3 /)
    expect(documentOf(await place.caseway('mail', 'replay', '--mailbox', id, '--json'))).toEqual({ id, messages: 2 })
    expect(await place.mail.rows('SELECT FROM ingest_failures WHERE mail_server_id = $1 AND next_try <= now()', [id])).toHaveLength(2)
    expect(await place.mail.rows(`SELECT state FROM kit.job WHERE name = 'mailbox-sync' AND key = $1`, [id])).toEqual([{ state: 'ready' }])
    expect((await place.caseway('mail', 'replay', '--mailbox', id)).out).toBe(`2 messages of mailbox ${id} will be retried now.`)
  })

  it.each(['failures', 'replay'])('mail %s of a sending mailbox exits with 1', async (name) => {
    const id = await stoppedMailbox()
    await place.mail.rows('UPDATE mail_servers SET server_protocol = 1 WHERE id = $1', [id])
    expect(await place.caseway('mail', name, '--mailbox', id)).toMatchObject({ code: 1, err: `There is no mailbox ${id} that receives.` })
  })
})

describe('mail recount', () => {
  it('reports the deviation of each count, and corrects it with --repair', async () => {
    const [office, user] = [randomId(), randomId()]
    await place.mail.rows("INSERT INTO customers VALUES ($1, 'Europe/Warsaw', 1)", [office])
    await place.mail.rows("INSERT INTO folder_counts VALUES ($1, $2, 'OTHERS', 0, 2, 1), ($1, 0, 'CLIENTS', 0, 0, 1)", [office, user])
    const recount = (...options: string[]) => place.caseway('mail', 'recount', '--office', String(office), ...options)
    const counts = [{ folder: 'OTHERS', folder_id: null, user_id: String(user), off_by: 2 }]
    expect(documentOf(await recount('--json'))).toEqual({ counts, repaired: false })
    expect((await recount()).out).toMatch(/\n\nNothing was changed: --repair corrects them\.$/)
    expect(documentOf(await recount('--repair', '--json'))).toEqual({ counts, repaired: true })
    expect(await recount()).toEqual({ code: 0, out: 'Every count is right.', err: '' })
  })

  it('reports an unknown office', async () => {
    expect(await place.caseway('mail', 'recount', '--office', '99')).toMatchObject({ code: 1, err: 'Mail knows no office 99.' })
  })
})

describe('mail rotate', () => {
  it('states how many secrets were re-encrypted', async () => {
    const next = { ...place.env, MAIL_SECRET: randomBytes(32).toString('base64'), MAIL_SECRET_PREVIOUS: place.env.MAIL_SECRET }
    expect(documentOf(await caseway(next, 'mail', 'rotate', '--json'))).toEqual({ secrets: 0 })
    expect((await caseway(next, 'mail', 'rotate')).out).toMatch(/^0 secrets re-encrypted\. MAIL_SECRET_PREVIOUS is not needed/)
  })
})
