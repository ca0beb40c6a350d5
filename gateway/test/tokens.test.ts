import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { httpClient, randomId, testClient, testTechnical, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import jwt from 'jsonwebtoken'
import { type Surrounded, startTestGateway } from './support/gateway.js'
import { rawGet } from './support/raw.js'

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway()
})
afterAll(() => around.stop())

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function parts() {
  const [header = '', payload = '', signature = ''] = around.tenant.expert.token.split('.')
  return { header, payload, signature, claims: JSON.parse(Buffer.from(payload, 'base64url').toString()) }
}

const signedBy = (secret: string, header: object) => {
  const input = `${base64url(header)}.${parts().payload}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const otherwise = (claims: Record<string, unknown>) => around.issuer.tokenFor({ ...around.tenant.expert.caller, claims })

const bad: [name: string, token: () => string][] = [
  ['no JWT', () => 'nonsense'],
  ['empty', () => ''],
  ['truncated', () => around.tenant.expert.token.slice(0, -20)],
  ['with another payload', () => [parts().header, base64url({ ...parts().claims, sub: '1' }), parts().signature].join('.')],
  ['without its signature', () => `${parts().header}.${parts().payload}.`],
  ['of the algorithm none', () => `${base64url({ alg: 'none', typ: 'JWT' })}.${parts().payload}.`],
  ['of the algorithm none with our key', () => `${base64url({ alg: 'none', kid: 'test' })}.${parts().payload}.`],
  ['of HS256', () => signedBy('secret', { alg: 'HS256', typ: 'JWT', kid: 'test' })],
  ['with an HMAC and a header of RS256', () => signedBy('secret', { alg: 'RS256', typ: 'JWT', kid: 'test' })],
  ['of an unknown key', () => jwt.sign(parts().claims, otherKey, { algorithm: 'RS256', keyid: randomUUID() })],
  ['of another key with our key id', () => jwt.sign(parts().claims, otherKey, { algorithm: 'RS256', keyid: 'test' })],
  ['without a key id', () => jwt.sign(parts().claims, otherKey, { algorithm: 'RS256' })],
  ['that has expired', () => around.issuer.tokenFor({ ...around.tenant.expert.caller, expiresInSeconds: -1 })],
  ['that is not valid yet', () => otherwise({ nbf: Math.floor(Date.now() / 1000) + 60 })],
  ['of another issuer', () => otherwise({ iss: 'somebody-else' })],
  ['for the other address', () => testClient(around.issuer).token],
  ['for both addresses', () => otherwise({ aud: ['expert', 'client'] })],
  ['without a session', () => otherwise({ sid: undefined })],
  ['whose role is not a number', () => otherwise({ role: 'administrator' })],
]

describe('a token is not needed', () => {
  it.each(['/rest/password_reset', '/rest/password_reset/abc', '/rest/invitation/abc', '/rest/email_confirmation/abc'])(
    'to POST %s, on both addresses',
    async (path) => {
      const urls = { expert: around.gateway.expertUrl, client: around.gateway.clientUrl }
      for (const [address, url] of Object.entries(urls)) {
        for (const token of [undefined, 'nonsense']) {
          const { status, body } = await httpClient(url, token).post(path, { password: 'x' })
          expect([status, body]).toMatchObject([200, { method: 'POST', url: `/${address}${path}`, body: '{"password":"x"}' }])
        }
      }
    },
  )

  it.each(['/rest/password_resets', '/rest/user/password_reset', '/rest/user'])('except to POST %s', async (path) => {
    expect((await around.anybody.post(path, {})).status).toBe(path === '/rest/password_resets' ? 404 : 401)
  })

  it('except for any other method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await around.anybody.request(method, '/rest/password_reset/abc')).status).toBe(401)
    }
  })
})

describe('a token', () => {
  it('is required: without one, 401 without an error code', async () => {
    const { status, headers, text } = await around.anybody.get('/rest/tag')
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="expert"'])
    expect(text).toBe('{"status":"error","errorMessages":"An access token is required.","errorCode":"TOKEN_MISSING"}')
  })

  it.each(['Basic YTpi', 'Token abc', 'Bearer', 'bearerx abc'])('is missing in "Authorization: %s"', async (authorization) => {
    const { status, headers } = await around.anybody.get('/rest/tag', { authorization })
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="expert"'])
  })

  it.each(bad)('%s is 401 invalid_token and reaches no service', async (_, token) => {
    const before = around.cases.seen.length
    const { status, headers, text } = await around.anybody.get('/rest/tag', { authorization: `Bearer ${token()}` })
    const isEmpty = token() === ''
    expect(status).toBe(401)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('www-authenticate')).toBe(
      isEmpty
        ? 'Bearer realm="expert"'
        : 'Bearer realm="expert", error="invalid_token", error_description="The access token is not valid."',
    )
    expect(JSON.parse(text).errorCode).toBe(isEmpty ? 'TOKEN_MISSING' : 'TOKEN_INVALID')
    expect(around.cases.seen).toHaveLength(before)
  })

  it('is passed on unchanged', async () => {
    const { token } = around.tenant.trainee
    const { body } = await around.anybody.get<{ headers: object }>('/rest/tag', { authorization: `bearer ${token}` })
    expect(body.headers).toMatchObject({ authorization: `bearer ${token}` })
  })

  it('of a client is accepted only on the client address, that of a technical account only on the expert address', async () => {
    const client = httpClient(around.gateway.clientUrl)
    const asClient = testClient(around.issuer).token
    const asPlatform = testTechnical(around.issuer).token
    expect((await client.as(asClient).get('/rest/issue')).status).toBe(200)
    expect((await client.as(around.tenant.expert.token).get('/rest/issue')).status).toBe(401)
    expect((await client.as(asPlatform).get('/rest/issue')).headers.get('www-authenticate')).toMatch(/^Bearer realm="client", error=/)
    expect((await around.anybody.as(asPlatform).get('/rest/issue')).status).toBe(200)
  })

  it('that is refused is counted by its reason', async () => {
    await around.anybody.get('/rest/tag')
    const [counted] = (await around.metrics.registry.getMetricsAsJSON()).filter(({ name }) => name === 'authentication_denials_total')
    expect(counted?.values.map(({ labels }) => labels.reason)).toEqual(expect.arrayContaining(['TOKEN_MISSING', 'TOKEN_INVALID']))
  })
})

describe('without a token', () => {
  it('one can be requested, in JSON or as a form', async () => {
    const form = 'grant_type=password&username=a%40b&password=%2B%20&client_id=x'
    const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Basic YTpi' }
    const { status, body } = await around.anybody.post<{ body: string; headers: object }>('/rest/token', form, headers)
    expect([status, body.body]).toEqual([200, form])
    expect(body.headers).toMatchObject(headers)
    expect((await around.anybody.post<{ body: string }>('/rest/token', '{"grant_type": 1 }')).body.body).toBe('{"grant_type": 1 }')
  })

  it.each([
    ['GET', '/rest/token'],
    ['PUT', '/rest/token'],
    ['DELETE', '/rest/token'],
    ['POST', '/rest/token/1'],
    ['GET', '/rest/event/stream'],
    ['HEAD', '/rest/event/stream?ticket=1'],
    ['POST', '/rest/event/stream?ticket=1'],
    ['GET', '/rest/event/ticket?ticket=1'],
    ['GET', '/rest/event/stream/x?ticket=1'],
    ['GET', '/rest/event/stream?tickets=1'],
    ['GET', '/rest/event?ticket=1'],
  ])('%s %s is 401', async (method, path) => {
    expect((await around.anybody.request(method, path)).status).toBe(401)
  })

  it('a ticket opens a stream, unless it is sent with an invalid token', async () => {
    const { status, body } = await around.anybody.get('/rest/event/stream?ticket=abc')
    expect([status, body]).toEqual([200, expect.objectContaining({ url: '/expert/rest/event/stream?ticket=abc' })])
    expect((await around.anybody.as('wrong').get('/rest/event/stream?ticket=abc')).status).toBe(401)
  })

  it('a second Authorization header is ignored', async () => {
    const target = '/rest/tag'
    const headers = { authorization: 'Bearer wrong\r\nauthorization: Bearer '.concat(around.tenant.expert.token) }
    expect((await rawGet(around.gateway.expertUrl, target, headers)).status).toBe(401)
  })
})

describe('while the keys cannot be fetched', () => {
  it('a token is 503, and not reported as invalid', async () => {
    const other = await startTestGateway({ env: { JWKS_URL: 'http://127.0.0.1:9/jwks.json' } })
    try {
      const { expert } = testTenant(other.issuer, randomId())
      const { status, headers, body } = await other.anybody.as(expert.token).get('/rest/tag')
      expect([status, headers.get('retry-after'), body]).toEqual([503, '1', expect.objectContaining({ errorCode: 'UNAVAILABLE' })])
    } finally {
      await other.stop()
    }
  })
})
