import { conflict, invalid, limited, tooLarge, unavailable } from '@caseway/kit/errors'
import { isUnchanged, type Routes } from '@caseway/kit/http'
import { createMetrics } from '@caseway/kit/observability'
import { type HttpClient, httpClient, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import Type from 'typebox'
import { type Served, serve } from './support/served.js'

const secret = 'the password is hunter2 at db.internal'
const failures: Record<string, () => unknown> = {
  fault: () => {
    throw new Error(secret)
  },
  text: () => {
    throw secret
  },
  nothing: () => {
    throw undefined
  },
  type: () => (undefined as unknown as { secret: string }).secret,
  conflict: () => {
    throw conflict('NOT_NOW', 'Not now.', 3)
  },
  limited: () => {
    throw limited(7)
  },
  unavailable: () => {
    throw unavailable(new Error(secret))
  },
  large: () => {
    throw tooLarge()
  },
  fields: () => {
    throw invalid({ name: 'is wrong', 'a.0.b': 'is "wrong", too' })
  },
}
const failing: Routes = (app) => {
  for (const [name, fail] of Object.entries(failures)) app.get(`/${name}`, async () => fail())
  app.get('/tagged', async (request, reply) => {
    isUnchanged(request, reply, '"1"')
    throw unavailable()
  })
  app.get('/administrators', { config: { roles: ['administrator'] } }, async () => ({ status: 'OK' }))
  app.post('/body', { schema: { body: Type.Object({}) } }, async () => ({ status: 'OK' }))
}

let served: Served
let http: HttpClient
const metrics = createMetrics('notes')
let isReady = true
let alive = true
beforeAll(async () => {
  served = await serve({ metrics, expert: [failing], ready: () => isReady, alive: () => alive })
  http = served.asExpert(testTenant(served.issuer).expert)
})
afterAll(() => served.stop())

describe('a failure', () => {
  it.each([
    ['conflict', 409, '{"status":"error","errorMessages":"Not now.","errorCode":"NOT_NOW"}', '3'],
    ['limited', 429, '{"status":"error","errorMessages":"Too many requests. Try again later.","errorCode":"TOO_MANY_REQUESTS"}', '7'],
    ['unavailable', 503, '{"status":"error","errorMessages":"The service is temporarily unavailable.","errorCode":"UNAVAILABLE"}', '1'],
    ['large', 413, '{"status":"error","errorMessages":"The request is too large.","errorCode":"TOO_LARGE"}', null],
    ['fields', 400, '{"status":"error","errorMessages":{"name":"is wrong","a.0.b":"is \\"wrong\\", too"}}', null],
  ])('%s is %i in the shape of every other error', async (name, status, text, retryAfter) => {
    const answer = await http.get(`/${name}`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, retryAfter])
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.text).toBe(text)
  })

  it.each(['fault', 'text', 'nothing', 'type'])('that is internal (%s) reveals nothing, and its request id is in the log', async (name) => {
    served.lines.length = 0
    const { status, text, headers } = await http.get(`/${name}`, { 'x-request-id': `look-for-${name}` })
    expect(status).toBe(500)
    expect(text).toBe(
      '{"status":"error","errorMessages":"Something went wrong. The request id leads to the details.","errorCode":"INTERNAL"}',
    )
    expect(headers.get('x-request-id')).toBe(`look-for-${name}`)
    const logged = served.lines.map((line) => JSON.parse(line)).find(({ level }) => level === 'error')
    expect(logged).toMatchObject({ requestId: `look-for-${name}`, role: 'expert' })
  })

  it('has neither the entity tag nor the caching of the record that could not be sent', async () => {
    const { status, headers } = await http.get('/tagged')
    expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([503, null, 'no-store'])
  })

  it('with a status of 5xx is logged', async () => {
    served.lines.length = 0
    await http.get('/fault')
    await http.get('/unavailable')
    const logged = served.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error' || level === 'warn')
    expect(logged.map(({ level, msg }) => [level, msg])).toEqual([
      ['error', 'a request failed'],
      ['warn', 'a request could not be answered'],
    ])
    expect(logged.map(({ method, route }) => [method, route])).toEqual([
      ['GET', expect.stringMatching(/\/fault$/)],
      ['GET', expect.stringMatching(/\/unavailable$/)],
    ])
    for (const line of logged) expect(JSON.stringify(line)).toContain(secret)
  })
})

describe('every answer', () => {
  const some = [
    ['GET', '/nothing-here', 404],
    ['PATCH', '/body', 405],
    ['GET', '/conflict', 409],
    ['GET', '/large', 413],
    ['GET', '/fields', 400],
    ['GET', '/limited', 429],
    ['GET', '/fault', 500],
    ['GET', '/unavailable', 503],
    ['POST', '/body', 200],
    ['GET', '/%zz', 404],
  ] as const

  it.each(some)('carries a request id: %s %s %i', async (method, path, status) => {
    const sent = method === 'POST' ? {} : undefined
    const answer = await http.request(method, path, sent, { 'x-request-id': 'a-1.b_2' })
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, 'a-1.b_2'])
    const own = await http.request(method, path, sent)
    expect(own.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
  })

  it.each([
    ['no token', 401, { authorization: '' }, {}],
    ['invalid JSON', 400, {}, '{'],
    ['another type', 415, { 'content-type': 'text/plain' }, 'a'],
    ['too much', 413, {}, 'x'.repeat(2 ** 20 + 1)],
  ])('carries a request id after %s, too', async (_, status, headers, body) => {
    const answer = await http.post('/body', body, { ...headers, 'x-request-id': 'a-1' })
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, 'a-1'])
  })

  it.each(['a b', 'x'.repeat(129), '<script>', 'a,b', ''])('has a new request id where "%s" was sent', async (odd) => {
    const { headers } = await http.post('/body', {}, { 'x-request-id': odd })
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
  })

  it('is counted by the pattern of its route, and not by its path', async () => {
    metrics.httpRequests.reset()
    await http.post('/body', {})
    for (const path of ['/made-up-1', '/made-up-2']) await http.get(path)
    const { values } = await metrics.httpRequests.get()
    expect(values.map(({ labels, value }) => [labels, value])).toEqual([
      [{ route: '/expert/rest/body', method: 'POST', status: '2xx' }, 1],
      [{ route: 'unknown', method: 'GET', status: '4xx' }, 2],
    ])
  })

  it('is counted as `other` for an uncommon method', async () => {
    metrics.httpRequests.reset()
    for (const method of ['PROPFIND', 'MKCOL', 'LOCK']) await http.request(method, '/body')
    const { values } = await metrics.httpRequests.get()
    expect(new Set(values.map(({ labels }) => labels.method))).toEqual(new Set(['other']))
  })

  it('is counted as a denial when an authenticated caller is refused', async () => {
    metrics.permissionDenials.reset()
    const answer = await served.asExpert(testTenant(served.issuer).trainee).get('/administrators')
    expect(answer.status).toBe(403)
    const { values } = await metrics.permissionDenials.get()
    expect(values).toEqual([{ labels: { role: 'trainee' }, value: 1 }])
  })
})

describe('health checks', () => {
  it('show liveness and readiness', async () => {
    const anybody = httpClient(served.url)
    const statuses = async () => [(await anybody.get('/healthz')).status, (await anybody.get('/readyz')).status]
    expect(await statuses()).toEqual([200, 200])
    isReady = false
    expect(await statuses()).toEqual([200, 503])
    expect((await anybody.get('/readyz')).headers.get('retry-after')).toBe('1')
    alive = false
    expect(await statuses()).toEqual([503, 503])
  })
})
