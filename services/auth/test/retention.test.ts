import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { hashToken } from '../src/tokens/refresh-token.js'
import { type Auth, startAuthService } from './support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

/** Makes the schedules due now. */
const purgeAgain = () => auth.database.rows("UPDATE kit.schedule SET next = now() WHERE name IN ('purge', 'audit-retention')")

it('sessions that cannot be used any more are deleted with their tokens, the others stay', async () => {
  const { expert } = await auth.office()
  const signIn = async () => {
    const { access_token, refresh_token } = await auth.signIn(expert)
    return { id: jwt.decode(access_token, { json: true })?.sid as string, token: refresh_token }
  }
  const [live, ended, justEnded, expired] = [await signIn(), await signIn(), await signIn(), await signIn()]
  const { body } = await auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: live.token })
  const longAgo = "now() - interval '31 minutes'"
  await auth.database.rows(`UPDATE sessions SET ended = ${longAgo} WHERE id = $1`, [ended.id])
  await auth.database.rows('UPDATE sessions SET ended = now() WHERE id = $1', [justEnded.id])
  await auth.database.rows(`UPDATE sessions SET expires = ${longAgo} WHERE id = $1`, [expired.id])
  await auth.database.rows(`UPDATE refresh_tokens SET expires = ${longAgo} WHERE hash = $1`, [hashToken(live.token)])

  await auth.database.rows(`INSERT INTO known_addresses VALUES ('old', now() - interval '31 days'), ('new', now() - interval '29 days')`)
  await purgeAgain()
  const left = async () => {
    const sessions = await auth.database.rows<{ id: string }>('SELECT id FROM sessions')
    const tokens = await auth.database.rows<{ hash: Buffer }>('SELECT hash FROM refresh_tokens')
    return [...sessions.map(({ id }) => id), ...tokens.map(({ hash }) => hash.toString('hex'))].sort()
  }
  const hex = (token: string) => hashToken(token).toString('hex')
  const stay = [live.id, justEnded.id, hex(body.refresh_token), hex(justEnded.token)].sort()
  await eventually(async () => expect(await left()).toEqual(stay))
  await eventually(async () => {
    expect(await auth.database.rows(`SELECT convert_from(hash, 'UTF8') AS name FROM known_addresses WHERE length(hash) = 3`)).toEqual([
      { name: 'new' },
    ])
  })
  expect((await auth.token({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: body.refresh_token })).status).toBe(200)
})

it('links of mails are deleted when they have expired', async () => {
  const link =
    "INSERT INTO mailed_links (hash, purpose, kind, user_id, state, expires) VALUES ($1, 'invitation', 'client', 1, '', now() + $2::interval)"
  await auth.database.rows(link, [Buffer.from('old'), '-1 minute'])
  await auth.database.rows(link, [Buffer.from('new'), '1 minute'])
  await purgeAgain()
  await eventually(async () => {
    expect(await auth.database.rows("SELECT convert_from(hash, 'UTF8') AS name FROM mailed_links")).toEqual([{ name: 'new' }])
  })
})

it('rows of the audit trail are deleted when they are older than a year', async () => {
  const customerId = '987654321'
  for (const age of ['367 days', '364 days']) {
    const statement = "INSERT INTO audit_events (customer_id, kind, created) VALUES ($1, 'right.refused', now() - $2::interval)"
    await auth.database.rows(statement, [customerId, age])
  }
  await purgeAgain()
  await eventually(async () => {
    expect(await auth.database.rows('SELECT FROM audit_events WHERE customer_id = $1', [customerId])).toHaveLength(1)
  })
})
