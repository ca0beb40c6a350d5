import { randomBytes } from 'node:crypto'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { caseway, documentOf, type Installation, installation } from './support/installation.js'

let place: Installation
beforeAll(async () => {
  place = await installation()
})
afterAll(() => place.drop())

/** A mailbox that was stopped. */
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
  it('lists mailboxes of all offices, those that fail most first', async () => {
    const id = await stoppedMailbox()
    const { mailboxes } = documentOf(await place.caseway('mail', 'boxes', '--json'))
    expect(mailboxes).toContainEqual({
      ...{ id, customer_id: expect.any(String), server_address: 'imap.office.example', state: 'auth_failed', last_error: 'auth' },
      ...{ failures: 5, last_fetch_at: null },
    })
    expect((await place.caseway('mail', 'boxes')).out).toContain('auth_failed')
  })
})

describe('mail pause and mail resume', () => {
  it('stop a mailbox and start it again', async () => {
    const id = await stoppedMailbox()
    expect(documentOf(await place.caseway('mail', 'pause', '--mailbox', id, '--json'))).toEqual({ id })
    expect(await stateOf(id)).toMatchObject({ state: 'paused' })
    expect(await place.caseway('mail', 'resume', '--mailbox', id)).toMatchObject({ code: 0, out: `Mailbox ${id} is started.` })
    expect(await stateOf(id)).toEqual({ state: 'active', last_error: null, failures: 0 })
  })

  it.each(['pause', 'resume'])('mail %s of a mailbox that is not there ends with 1', async (name) => {
    expect(await place.caseway('mail', name, '--mailbox', String(randomId()))).toMatchObject({ code: 1, err: 'Not found.' })
  })
})

describe('mail rotate', () => {
  it('says how many secrets are encrypted anew', async () => {
    const next = { ...place.env, MAIL_SECRET: randomBytes(32).toString('base64'), MAIL_SECRET_PREVIOUS: place.env.MAIL_SECRET }
    expect(documentOf(await caseway(next, 'mail', 'rotate', '--json'))).toEqual({ secrets: 0 })
    expect((await caseway(next, 'mail', 'rotate')).out).toMatch(/^0 secrets encrypted anew\. MAIL_SECRET_PREVIOUS is not needed/)
  })
})
