import { notFound } from '@caseway/kit/errors'
import { type Routes, resourceRoutes } from '@caseway/kit/http'
import { createMetrics } from '@caseway/kit/observability'
import { type HttpClient, httpClient, testClient, testTechnical, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { clientNoteResource, noteResource } from '../support/notes.js'
import { type Served, serve } from './support/served.js'

let served: Served
let nobody: HttpClient
const metrics = createMetrics('notes')
const touched: string[] = []
const touch = (what: string) => async () => {
  touched.push(what)
  throw notFound()
}

/** The employees with the right `notes.write`. */
const holders = new Set<bigint>()
const guarded = { ...noteResource, name: 'Guarded', path: 'guarded', right: 'notes.write' }

/** Routes with different roles and flags. */
const narrow: Routes = (app) => {
  app.get('/public', { config: { public: true } }, async () => ({ status: 'OK' }))
  app.get('/expert', { config: { roles: ['expert'] } }, async () => ({ status: 'OK' }))
  app.put('/factor', { config: { allowsMissingSecondFactor: true } }, async ({ caller }) => ({ userId: String(caller.userId) }))
  app.put('/password', { config: { allowsExpiredPassword: true } }, async ({ caller }) => ({ userId: String(caller.userId) }))
}

beforeAll(async () => {
  const roles = ['administrator'] as const
  const administrators = { ...noteResource, roles: { read: roles, create: roles, update: roles, remove: roles } }
  const everyVerb = { list: touch('list'), get: touch('get'), create: touch('create'), change: touch('change'), remove: touch('remove') }
  served = await serve({
    metrics,
    expert: [resourceRoutes(administrators, everyVerb), resourceRoutes(guarded, everyVerb), narrow],
    hasRight: async ({ userId }, right) => right === 'notes.write' && holders.has(userId),
    client: [resourceRoutes(clientNoteResource, { list: async () => ({ items: [] }) }), narrow],
  })
  nobody = httpClient(served.url)
})
afterAll(() => served.stop())

const office = () => testTenant(served.issuer)
const verbs = [
  ['GET', '/note'],
  ['GET', '/note?colour=red'],
  ['HEAD', '/note'],
  ['GET', '/note/x'],
  ['POST', '/note'],
  ['PUT', '/note/1'],
  ['PUT', '/note/x'],
  ['DELETE', '/note/0'],
] as const
/** A body that would be refused if it were parsed. */
const expired = { pwd_expired: true }
const bodyFor = (method: string) => (method === 'POST' || method === 'PUT' ? '{' : undefined)

describe('a token of somebody whose password has expired', () => {
  const tokenOf = (role: 'administrator' | 'client') => {
    const customerId = role === 'client' ? null : 7n
    return served.issuer.tokenFor({ role, userId: 41n, customerId, claims: expired })
  }

  it.each(verbs)('is refused by %s %s, before anything is looked at', async (method, path) => {
    touched.length = 0
    const http = httpClient(`${served.url}/expert/rest`, tokenOf('administrator'))
    const { status, text } = await http.request(method, path, bodyFor(method))
    const refusal = '{"status":"error","errorMessages":"The password must be changed first.","errorCode":"PASSWORD_EXPIRED"}'
    expect([status, text, touched]).toEqual([403, method === 'HEAD' ? '' : refusal, []])
  })

  it('is refused on the client address as well', async () => {
    const { status, body } = await httpClient(`${served.url}/client/rest`, tokenOf('client')).get('/note')
    expect([status, body]).toMatchObject([403, { errorCode: 'PASSWORD_EXPIRED' }])
  })

  it('is accepted where a new password is set', async () => {
    const { status, body } = await httpClient(`${served.url}/expert/rest`, tokenOf('administrator')).put('/password')
    expect([status, body]).toEqual([200, { userId: '41' }])
  })
})

describe('a token of somebody who has to set up a second factor', () => {
  const token = () =>
    served.issuer.tokenFor({ role: 'administrator', userId: 41n, customerId: 7n, claims: { second_factor_missing: true } })

  it.each(verbs)('is refused by %s %s, before anything is looked at', async (method, path) => {
    touched.length = 0
    const { status, text } = await httpClient(`${served.url}/expert/rest`, token()).request(method, path, bodyFor(method))
    const refusal = '{"status":"error","errorMessages":"A second factor must be set up first.","errorCode":"SECOND_FACTOR_MISSING"}'
    expect([status, text, touched]).toEqual([403, method === 'HEAD' ? '' : refusal, []])
  })

  it('is accepted where a second factor is set up, and not where a password is set', async () => {
    const http = httpClient(`${served.url}/expert/rest`, token())
    expect((await http.put('/factor')).body).toEqual({ userId: '41' })
    expect((await http.put('/password')).status).toBe(403)
  })
})

describe('a request without a token', () => {
  it.each(['expert', 'client'])('on the %s address is answered with a challenge without an error code', async (audience) => {
    const { status, headers, text } = await nobody.get(`/${audience}/rest/note`)
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toBe(`Bearer realm="${audience}"`)
    expect(text).toBe('{"status":"error","errorMessages":"An access token is required.","errorCode":"TOKEN_MISSING"}')
  })

  it.each(['Basic YTpi', 'Bearer', 'Token abc', 'bearerabc'])('but with "%s" gets the same answer', async (authorization) => {
    const { status, headers, body } = await nobody.get('/expert/rest/note', { authorization })
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="expert"'])
    expect(body).toMatchObject({ errorCode: 'TOKEN_MISSING' })
  })

  it('reaches public routes', async () => expect((await nobody.get('/expert/rest/public')).body).toEqual({ status: 'OK' }))
})

describe('a token', () => {
  const bad: Record<string, () => string> = {
    'has expired': () => served.issuer.tokenFor({ role: 'expert', userId: 5n, customerId: 7n, expiresInSeconds: -1 }),
    'is from elsewhere': () => served.issuer.tokenFor({ role: 'expert', userId: 5n, customerId: 7n, claims: { iss: 'elsewhere' } }),
    'is for the other address': () => testClient(served.issuer).token,
    'has a changed signature': () => office().administrator.token.replace(/[^.]+$/, 'A'.repeat(342)),
    'has no signature': () => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${office().administrator.token.split('.')[1]}.`,
    'is nonsense': () => 'nonsense',
    'is of three parts of nonsense': () => 'a.b.c',
  }

  it.each(Object.keys(bad))('that %s is 401 before anything else', async (kind) => {
    const http = httpClient(`${served.url}/expert/rest`, bad[kind]?.())
    for (const [method, path] of verbs) {
      const { status, text, headers } = await http.request(method, path, bodyFor(method))
      expect([method, path, status]).toEqual([method, path, 401])
      expect(headers.get('www-authenticate')).toBe(
        'Bearer realm="expert", error="invalid_token", error_description="The access token is not valid."',
      )
      const invalid = '{"status":"error","errorMessages":"The access token is not valid.","errorCode":"TOKEN_INVALID"}'
      expect(text).toBe(method === 'HEAD' ? '' : invalid)
    }
  })

  it('may be sent with the scheme in any case', async () => {
    const { token } = office().administrator
    expect((await nobody.get('/expert/rest/expert', { authorization: `BEARER  ${token}` })).status).toBe(403)
  })

  it('that is refused is counted by the reason', async () => {
    metrics.authenticationDenials.reset()
    await nobody.get('/expert/rest/note')
    await httpClient(`${served.url}/client/rest`, 'nonsense').get('/note')
    const { values } = await metrics.authenticationDenials.get()
    expect(values).toEqual([
      { labels: { reason: 'TOKEN_MISSING' }, value: 1 },
      { labels: { reason: 'TOKEN_INVALID' }, value: 1 },
    ])
  })
})

describe('a role', () => {
  const forbidden = '{"status":"error","errorMessages":"You may not do this.","errorCode":"FORBIDDEN"}'

  it.each(verbs)('is checked before the id, the query and the body: %s %s', async (method, path) => {
    touched.length = 0
    for (const person of [office().trainee, office().expert, testTechnical(served.issuer)]) {
      const { status, text } = await served.asExpert(person).request(method, path, bodyFor(method))
      expect({ status, text }).toEqual({ status: 403, text: method === 'HEAD' ? '' : forbidden })
    }
    expect(touched).toEqual([])
    const { status } = await served.asExpert(office().administrator).request(method, path, bodyFor(method))
    expect([400, 404]).toContain(status)
  })

  it('of a client is accepted on the client address, and that of an expert is not', async () => {
    expect((await served.asClient(testClient(served.issuer)).get('/note')).status).toBe(200)
    expect((await served.asClient(office().expert).get('/note')).status).toBe(401)
  })
})

describe('a right', () => {
  const writes = [
    ['POST', '/guarded'],
    ['PUT', '/guarded/x'],
    ['DELETE', '/guarded/x'],
  ] as const

  it.each(writes)('is checked before the id and the body of a write: %s %s', async (method, path) => {
    const { expert } = office()
    touched.length = 0
    expect((await served.asExpert(expert).request(method, path, bodyFor(method))).status).toBe(403)
    holders.add(expert.userId)
    expect([400, 404]).toContain((await served.asExpert(expert).request(method, path, bodyFor(method))).status)
    expect(touched).toEqual([])
  })

  it('is not needed to read', async () => {
    touched.length = 0
    await served.asExpert(office().expert).get('/guarded')
    expect(touched).toEqual(['list'])
  })

  it('of a route is an error at the start where the service cannot check rights', async () => {
    const create = async () => 1n
    await expect(serve({ expert: [resourceRoutes(guarded, { create })] })).rejects.toThrow('requires the right notes.write')
  })
})
