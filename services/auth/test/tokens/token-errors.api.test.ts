import { randomUUID } from 'node:crypto'
import { type HttpAnswer, httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Auth, startAuthService } from '../support/auth.js'

let auth: Auth
let technical: { id: string; secret: string }
beforeAll(async () => {
  auth = await startAuthService()
  const id = randomUUID()
  const { secret } = await auth.service.administration.createApplication(id, 'technical', 'The accounting platform')
  technical = { id, secret: secret as string }
})
afterAll(() => auth.stop())

/** Expects an answer by RFC 6749 5.2, with the fields of all errors of the API. */
function expectRefusal(answer: HttpAnswer<unknown>, status: number, error: string): void {
  expect([answer.status, answer.body]).toEqual([
    status,
    {
      status: 'error',
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      errorMessages: expect.any(String),
      errorCode: expect.stringMatching(/^[A-Z_]+$/),
    },
  ])
  const { error_description, errorMessages } = answer.body as Record<string, string>
  expect(errorMessages).toBe(error_description)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect([answer.headers.get('cache-control'), answer.headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
  expect(answer.headers.get('www-authenticate') ?? '').toMatch(status === 401 ? /^Basic realm=/ : /^$/)
}

const good = () => ({ grant_type: 'password', client_id: auth.clientId, username: 'ada@office.test', password: 'a password' })
const refresh = () => ({ grant_type: 'refresh_token', client_id: auth.clientId, refresh_token: 'abc' })

const malformed: [what: string, change: object, error: string, status?: number][] = [
  ['no grant_type', { grant_type: undefined }, 'invalid_request'],
  ['an empty grant_type', { grant_type: '' }, 'invalid_request'],
  ['a grant_type that is null', { grant_type: null }, 'invalid_request'],
  ['a grant_type that is a number', { grant_type: 1 }, 'invalid_request'],
  ['a grant_type of the prototype', { grant_type: 'constructor' }, 'unsupported_grant_type'],
  ['an unknown grant_type', { grant_type: 'implicit' }, 'unsupported_grant_type'],
  ['a grant_type in capitals', { grant_type: 'PASSWORD' }, 'unsupported_grant_type'],
  ['a grant_type of an extension', { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' }, 'unsupported_grant_type'],
  ['no client_id', { client_id: undefined }, 'invalid_request'],
  ['an empty client_id', { client_id: '' }, 'invalid_request'],
  ['a client_id that is a number', { client_id: 5 }, 'invalid_request'],
  ['an unknown client_id', { client_id: 'nobody' }, 'invalid_client', 401],
  ['a client_id with a NUL', { client_id: 'a\0b' }, 'invalid_request'],
  ['a client_id that is too long', { client_id: 'a'.repeat(1025) }, 'invalid_request'],
  ['no username', { username: undefined }, 'invalid_request'],
  ['an empty username', { username: '' }, 'invalid_request'],
  ['two usernames', { username: ['a', 'b'] }, 'invalid_request'],
  ['a username that is an object', { username: { ne: '' } }, 'invalid_request'],
  ['a username that is true', { username: true }, 'invalid_request'],
  ['a username with a NUL', { username: '\0' }, 'invalid_request'],
  ['half a character as username', { username: '\ud800' }, 'invalid_request'],
  ['a username that is too long', { username: 'a'.repeat(1025) }, 'invalid_request'],
  ['no password', { password: undefined }, 'invalid_request'],
  ['an empty password', { password: '' }, 'invalid_request'],
  ['a password that is a number', { password: 12345678 }, 'invalid_request'],
  ['a password that is too long', { password: 'a'.repeat(1025) }, 'invalid_request'],
  ['a scope', { scope: 'everything' }, 'invalid_scope'],
  ['a scope that is a list', { scope: ['everything'] }, 'invalid_request'],
  ['no refresh_token', { grant_type: 'refresh_token' }, 'invalid_request'],
  ['an empty refresh_token', { grant_type: 'refresh_token', refresh_token: '' }, 'invalid_request'],
  ['a refresh_token that is a list', { grant_type: 'refresh_token', refresh_token: [] }, 'invalid_request'],
  ['a refresh_token that nobody gave', { grant_type: 'refresh_token', refresh_token: 'made-up' }, 'invalid_grant'],
  ['credentials of an application without a secret', { grant_type: 'client_credentials' }, 'unauthorized_client'],
]

describe('POST /rest/token refuses, by RFC 6749 5.2,', () => {
  it.each(malformed)('%s', async (_, change, error, status = 400) => {
    expectRefusal(await auth.token({ ...good(), ...change }), status, error)
  })

  const bodies: [what: string, body: string, headers: Record<string, string>, status: number][] = [
    ['broken JSON', '{"grant_type":', {}, 400],
    ['an empty body', '', {}, 400],
    ['a list', '[]', {}, 400],
    ['a text', '"password"', {}, 400],
    ['null', 'null', {}, 400],
    ['a body that would change prototypes', '{"__proto__":{"grant_type":"password"}}', {}, 400],
    [
      'a parameter twice in a form',
      'grant_type=password&grant_type=password',
      { 'content-type': 'application/x-www-form-urlencoded' },
      400,
    ],
    ['an empty form', '', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
    ['a body of another type', '<token/>', { 'content-type': 'application/xml' }, 415],
    ['a body in a content coding', '{"grant_type":"password"}', { 'content-encoding': 'gzip' }, 415],
  ]
  it.each(bodies)('%s', async (_, body, headers, status) => {
    const answer = await httpClient(`${auth.service.httpUrl}/expert/rest`).post('/token', body, headers)
    expectRefusal(answer, status, 'invalid_request')
  })

  const sizes = [
    ['JSON', 'application/json', '{"grant_type":"', '"}'],
    ['a form', 'application/x-www-form-urlencoded', 'grant_type=', ''],
  ] as const
  it.each(sizes)('%s of more than 64 KiB', async (_, type, head, tail) => {
    const http = httpClient(`${auth.service.httpUrl}/expert/rest`)
    const post = (size: number) => http.post('/token', head + 'a'.repeat(size - head.length - tail.length) + tail, { 'content-type': type })
    expectRefusal(await post(65_536), 400, 'invalid_request')
    const tooMuch = await post(65_537)
    expectRefusal(tooMuch, 413, 'invalid_request')
    expect(tooMuch.body).toMatchObject({ errorCode: 'TOO_LARGE', errorMessages: 'The request is too large.' })
  })
})

describe('an application with a secret', () => {
  const asks = (parameters: object, headers = {}, address: 'expert' | 'client' = 'expert') =>
    auth.token({ grant_type: 'client_credentials', ...parameters }, address, headers)
  const basic = (id: string, secret: string) => ({ authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` })

  it('gets a token of its own, and no refresh token', async () => {
    const { status, body } = await asks({ client_id: technical.id, client_secret: technical.secret })
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        ...{ expires_in: 900, token_type: 'Bearer', scope: null, refresh_token: null },
        user_id: expect.stringMatching(/^\d+$/),
        UserRole: { id: null, customer_id: null, name: null, created: null, modified: null },
        ...{ UserRolePermission: [], UserPermission: [] },
      },
    ])
  })

  it('may authenticate in a header, encoded by RFC 6749 2.3.1', async () => {
    expect((await asks({}, basic(technical.id, technical.secret))).status).toBe(200)
    const encoded = [...technical.id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
    expect((await asks({}, basic(encoded, technical.secret))).status).toBe(200)
  })

  it('is refused without its secret, with another one, and with both at once', async () => {
    const { id, secret } = technical
    expectRefusal(await asks({ client_id: id }), 401, 'invalid_client')
    expectRefusal(await asks({ client_id: id, client_secret: 'wrong' }), 401, 'invalid_client')
    expectRefusal(await asks({}, basic(id, '')), 401, 'invalid_client')
    expectRefusal(await asks({}, basic('nobody', secret)), 401, 'invalid_client')
    expectRefusal(await asks({ client_secret: secret }, basic(id, secret)), 400, 'invalid_request')
    expectRefusal(await asks({ client_id: 'another' }, basic(id, secret)), 400, 'invalid_request')
  })

  it.each(['%', '%00', '\0', '%ed%a0%80'])('is refused with invalid credentials: %j', async (id) => {
    expectRefusal(await asks({}, basic(id, 'secret')), 401, 'invalid_client')
  })

  it('can neither sign people in, nor use the address for clients', async () => {
    const { id: client_id, secret: client_secret } = technical
    expectRefusal(await auth.token({ ...good(), client_id, client_secret }), 400, 'unauthorized_client')
    expectRefusal(await auth.token({ ...refresh(), client_id, client_secret }), 400, 'unauthorized_client')
    expectRefusal(await asks({ client_id, client_secret }, {}, 'client'), 400, 'unauthorized_client')
  })

  it('gets a new secret in place of the old one', async () => {
    const id = randomUUID()
    const { administration } = auth.service
    expect(await administration.hasApplication(id)).toBe(false)
    const { secret } = await administration.createApplication(id, 'technical', 'Another platform')
    expect(await administration.hasApplication(id)).toBe(true)
    const renewed = await administration.renewSecret(id)
    expect((await asks({ client_id: id, client_secret: renewed })).status).toBe(200)
    expectRefusal(await asks({ client_id: id, client_secret: secret }), 401, 'invalid_client')
  })
})
