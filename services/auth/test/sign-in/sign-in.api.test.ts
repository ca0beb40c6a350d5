import { randomUUID } from 'node:crypto'
import { httpClient, versionOf } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { rights } from '../../src/roles/right.js'
import { type Auth, issuer, type Login, type Office, randomAddress, startAuthService } from '../support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

describe('POST /rest/token with a password', () => {
  it('answers an employee as specified', async () => {
    const { customerId, specialist } = await auth.office('Europe/Lisbon')
    const { id, ...login } = specialist
    const { status, headers, body } = await auth.token({ grant_type: 'password', client_id: auth.clientId, ...login })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      access_token: expect.any(String),
      expires_in: 900,
      token_type: 'Bearer',
      scope: null,
      refresh_token: expect.any(String),
      user_id: String(id),
      UserRole: {
        id: expect.stringMatching(/^\d+$/),
        customer_id: String(customerId),
        name: 'Specialist',
        created: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        modified: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
      UserRolePermission: rights.map((key) => ({ key, allowed: key.startsWith('mailbox.') ? '1' : '0' })),
      UserPermission: [],
    })
    expect(jwt.decode(body.access_token, { json: true })).toMatchObject({
      ...{ iss: issuer, aud: 'expert', sub: String(id), customer_id: String(customerId), role: 3 },
      ...{ sid: expect.any(String), jti: expect.any(String) },
    })
  })

  it('refuses an account whose stored hash is invalid', async () => {
    const { trainee } = await auth.office()
    await auth.database.rows("UPDATE users SET password_hash = 'imported' WHERE id = $1", [String(trainee.id)])
    const { status, body } = await auth.signsIn(trainee)
    expect([status, body]).toMatchObject([400, { error: 'invalid_grant' }])
  })

  it('issues clients a token without an office, on their address', async () => {
    const client = await auth.client(await auth.office())
    const body = await auth.signIn(client, 'client')
    expect(body).toMatchObject({ user_id: String(client.id), UserRole: { id: null, name: null }, UserRolePermission: [] })
    expect(jwt.decode(body.access_token, { json: true })).toMatchObject({ aud: 'client', customer_id: null, role: 5 })
  })
})

describe('a body', () => {
  const form = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()
  const formType = { 'content-type': 'application/x-www-form-urlencoded' }

  it('may be a form, by RFC 6749', async () => {
    const { expert } = await auth.office()
    const { id, ...login } = expert
    const body = form({ grant_type: 'password', client_id: auth.clientId, ...login })
    const answer = await httpClient(`${auth.service.httpUrl}/expert/rest`).post('/token', body, formType)
    expect([answer.status, answer.body]).toMatchObject([200, { user_id: String(id), token_type: 'Bearer' }])
  })

  it('may contain unknown parameters', async () => {
    const { expert } = await auth.office()
    const body = { grant_type: 'password', client_id: auth.clientId, ...expert, id: 1, scope: '', refresh_token: null, device: { os: 'x' } }
    expect((await auth.token(body)).status).toBe(200)
  })

  it('may come with the client in a Basic header', async () => {
    const { expert } = await auth.office()
    const { username, password } = expert
    const headers = { authorization: `Basic ${Buffer.from(`${auth.clientId}:`).toString('base64')}` }
    expect((await auth.token({ grant_type: 'password', username, password }, 'expert', headers)).status).toBe(200)
  })
})

describe('a person who cannot sign in', () => {
  const refused = async (login: Login, address: 'expert' | 'client' = 'expert') => {
    const { status, text, headers } = await auth.signsIn(login, address)
    return { status, text, headers: [...headers.keys()].sort().join() }
  }

  it('gets the same bytes, whether unknown, with a wrong password, deactivated or without a password', async () => {
    const { administrator, expert, trainee, specialist } = await auth.office()
    expect((await (await auth.asExpert(administrator)).delete(`/user/${trainee.id}`)).status).toBe(200)
    await auth.database.rows('UPDATE users SET password_hash = NULL WHERE id = $1', [specialist.id])
    const unknown = await refused({ username: 'nobody@office.test', password: expert.password })
    expect([unknown.status, JSON.parse(unknown.text)]).toMatchObject([400, { error: 'invalid_grant' }])
    expect(await refused({ ...expert, password: 'a wrong password' })).toEqual(unknown)
    expect(await refused(trainee)).toEqual(unknown)
    expect(await refused(specialist)).toEqual(unknown)
  })

  it('is a client on the address of employees, and an employee on that of clients', async () => {
    const office = await auth.office()
    const client = await auth.client(office)
    const unknown = await refused({ username: 'nobody@office.test', password: 'x' })
    expect(await refused(client)).toEqual(unknown)
    expect(await refused(office.expert, 'client')).toEqual(unknown)
    expect((await auth.signsIn(client, 'client')).status).toBe(200)
  })

  it('costs a hash, also when there is no such account', async () => {
    const { expert } = await auth.office()
    /** Milliseconds of CPU time of all threads of this process, for six attempts. */
    const cost = async (login: Login) => {
      const before = process.cpuUsage()
      for (let i = 0; i < 6; i++) expect((await auth.signsIn(login, 'expert', { 'x-forwarded-for': randomAddress() })).status).toBe(400)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    const wrong = { ...expert, password: 'a wrong password' }
    await cost(wrong)
    const known = await cost(wrong)
    const unknown = await cost({ ...wrong, username: `${randomUUID()}@office.test` })
    expect(unknown).toBeGreaterThan(known / 2)
    expect(unknown).toBeLessThan(known * 2)
  })
})

describe('a sign-in', () => {
  it('ignores the case of the address', async () => {
    const { expert } = await auth.office()
    expect((await auth.signsIn({ ...expert, username: expert.username.toUpperCase() })).body.user_id).toBe(String(expert.id))
  })

  it('sets the time of the last one, without a new version of the record', async () => {
    const { expert } = await auth.office()
    const http = await auth.asExpert(expert)
    const answer = await http.get<{ User: Record<string, string> }>('/user/me')
    expect(answer.body.User.last_login).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(versionOf(answer)).toBe(1)
  })

  it('of a client sets that time as well', async () => {
    const client = await auth.client(await auth.office())
    await auth.asClient(client)
    const rows = await auth.database.rows('SELECT last_login IS NOT NULL AS noted, version FROM clients WHERE id = $1', [client.id])
    expect(rows).toEqual([{ noted: true, version: 1 }])
  })

  const overtaking = [
    ['their deactivation', 'UPDATE users SET active = false WHERE id = $1'],
    [
      'another password',
      'UPDATE users SET password_hash = colleague.password_hash FROM users AS colleague WHERE users.id = $1 AND colleague.id = $2',
    ],
  ] as const
  const overtaken = async ({ expert, trainee }: Office, change: string) => {
    const values = change.includes('$2') ? [expert.id, trainee.id] : [expert.id]
    const other = await holdTransaction(auth.database, change, values)
    const signingIn = auth.signsIn(expert)
    await untilWaiting(auth.database, 1)
    await other.commit()
    return signingIn
  }
  it.each(overtaking)('begins no session if %s comes first', async (_, change) => {
    const office = await auth.office()
    const { expert } = office
    const { status, body } = await overtaken(office, change)
    expect([status, body]).toMatchObject([400, { error: 'invalid_grant' }])
    expect(await auth.database.rows("SELECT id FROM sessions WHERE user_id = $1 AND audience = 'expert'", [expert.id])).toEqual([])
  })

  it('gets the new role if a change of the base role comes first', async () => {
    const change = 'UPDATE user_roles SET base_role = 4 WHERE id = (SELECT user_role_id FROM users WHERE id = $1)'
    const { status, body } = await overtaken(await auth.office(), change)
    expect(status).toBe(200)
    expect(jwt.decode(body.access_token, { json: true })).toMatchObject({ role: 4 })
  })
})

describe('an access token', () => {
  it('is valid on its own address only', async () => {
    const office = await auth.office()
    const client = await auth.client(office)
    const { access_token: ofClient } = await auth.signIn(client, 'client')
    const { access_token: ofExpert } = await auth.signIn(office.expert)
    const at = (address: string, token: string) => httpClient(`${auth.service.httpUrl}/${address}/rest`, token)
    expect((await at('expert', ofClient).get('/user/me')).status).toBe(401)
    expect((await at('client', ofExpert).get('/customer_user_link')).status).toBe(401)
    expect((await at('expert', ofExpert).get('/user/me')).status).toBe(200)
    expect((await at('client', ofClient).get('/customer_user_link')).status).toBe(200)
  })

  it('has an id of its own, and is valid for fifteen minutes', async () => {
    const { expert } = await auth.office()
    const claims = async () => jwt.decode((await auth.signIn(expert)).access_token, { json: true }) as Record<string, number>
    const [one, other] = [await claims(), await claims()]
    expect((one.exp as number) - (one.iat as number)).toBe(900)
    expect(one.jti).not.toBe(other.jti)
    expect(one.sid).not.toBe(other.sid)
  })
})
