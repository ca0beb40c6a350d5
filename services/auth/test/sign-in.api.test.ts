import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { rights } from '../src/roles/right.js'
import { type Auth, issuer, startAuthService } from './support/auth.js'

let auth: Auth
beforeAll(async () => {
  auth = await startAuthService()
})
afterAll(() => auth.stop())

describe('POST /rest/token with a password', () => {
  it('gives an employee the answer of the specification', async () => {
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

  it('gives a client on his address a token without an office', async () => {
    const client = await auth.client(await auth.office())
    const body = await auth.signIn(client, 'client')
    expect(body).toMatchObject({ user_id: String(client.id), UserRole: { id: null, name: null }, UserRolePermission: [] })
    expect(jwt.decode(body.access_token, { json: true })).toMatchObject({ aud: 'client', customer_id: null, role: 5 })
  })
})
