import { httpClient } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Seen } from './support/fake-service.js'
import { type Surrounded, startTestGateway } from './support/gateway.js'
import { rawGet } from './support/raw.js'

let around: Surrounded
const others: Surrounded[] = []
beforeAll(async () => {
  around = await startTestGateway()
})
afterEach(async () => {
  await Promise.all(others.splice(0).map((other) => other.stop()))
})
afterAll(() => around.stop())

const seenHeaders = async (sent: Record<string, string>, { expert }: Surrounded = around) =>
  (await expert.get<Seen>('/rest/tag', sent)).body.headers

async function behind(hops: number): Promise<Surrounded> {
  const other = await startTestGateway({ env: { GATEWAY_TRUSTED_PROXIES: String(hops) } })
  others.push(other)
  return other
}

describe('the headers of a request', () => {
  it('lose those that claim an identity', async () => {
    const forged = {
      ...{ 'x-user-id': '1', 'X-User-Role': '1', 'x-customer-id': '7', 'X-Caseway-Anything': 'a', 'x-user': '1', 'x-real-ip': '1.2.3.4' },
      ...{ forwarded: 'for=1.2.3.4', 'x-forwarded-for': '1.2.3.4', 'x-forwarded-host': 'a', 'X-Forwarded-Proto': 'a', 'x-forwarded': 'a' },
    }
    const headers = await seenHeaders(forged)
    const names = Object.keys(headers).filter((name) => /^(x-(user|customer|caseway|real|forwarded)|forwarded)/.test(name))
    expect(names).toEqual(['x-forwarded-for'])
    expect(headers['x-forwarded-for']).toBe('127.0.0.1')
  })

  it('lose those of a trace', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const headers = await seenHeaders({ traceparent, tracestate: 'a=b', baggage: 'a=b' })
    expect(Object.keys(headers).filter((name) => /^trace|^baggage/.test(name))).toEqual([])
  })

  it('keep all others', async () => {
    const sent = {
      ...{ 'idempotency-key': 'k 1', 'if-match': '"3"', 'if-none-match': 'W/"1"', 'last-event-id': '7', 'accept-language': 'pl' },
      ...{ accept: 'application/json', 'x-other': 'y' },
    }
    expect(await seenHeaders(sent)).toMatchObject({ ...sent, authorization: `Bearer ${around.tenant.expert.token}` })
  })

  it('do not carry a body that a GET cannot have', async () => {
    const { body } = await rawGet(around.gateway.expertUrl, '/rest/tag', {
      authorization: `Bearer ${around.tenant.expert.token}`,
      'content-length': '0',
    })
    expect(JSON.parse(body)).toMatchObject({ body: '' })
  })
})

describe('x-forwarded-for', () => {
  it.each([
    [0, '1.1.1.1, 2.2.2.2', '127.0.0.1'],
    [1, '1.1.1.1, 2.2.2.2', '2.2.2.2'],
    [1, '2.2.2.2', '2.2.2.2'],
    [1, '1.1.1.1, 2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    [1, '::ffff:10.0.0.7', '10.0.0.7'],
    [1, '1.1.1.1, nonsense', '127.0.0.1'],
    [2, '1.1.1.1, 2.2.2.2, 3.3.3.3', '2.2.2.2'],
    [2, '3.3.3.3', '3.3.3.3'],
  ])('behind %d proxies, of "%s", is %s', async (hops, came, goes) => {
    expect((await seenHeaders({ 'x-forwarded-for': came }, await behind(hops)))['x-forwarded-for']).toBe(goes)
  })

  it('is the address of the proxy when the proxy sends none', async () => {
    expect((await seenHeaders({}, await behind(1)))['x-forwarded-for']).toBe('127.0.0.1')
  })
})

describe('x-request-id', () => {
  it('is that of the caller when it is well-formed, in the request to the service and in the answer', async () => {
    const { headers, body } = await around.expert.get<Seen>('/rest/tag', { 'x-request-id': 'my.Request_1-2' })
    expect([headers.get('x-request-id'), body.headers['x-request-id']]).toEqual(['my.Request_1-2', 'my.Request_1-2'])
  })

  it.each(['a b', 'a"b', 'x'.repeat(129), '<script>'])('is replaced where the caller sends %s', async (given) => {
    const { headers, body } = await around.expert.get<Seen>('/rest/tag', { 'x-request-id': given })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(body.headers['x-request-id']).toBe(headers.get('x-request-id'))
  })

  it('is sent once, even if the service sends one', async () => {
    around.cases.on('/expert/rest/tag/ids', (_, response) => response.setHeader('x-request-id', 'of-the-service').end('{}'))
    const { headers } = await around.expert.get('/rest/tag/ids', { 'x-request-id': 'mine' })
    expect(headers.get('x-request-id')).toBe('mine')
  })

  it.each(['/healthz', '/readyz', '/docs', '/rest/openapi.json', '/.well-known/jwks.json', '/rest/tag', '/nothing'])(
    'is on the answer of %s',
    async (path) => {
      expect((await around.anybody.get(path)).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    },
  )
})

describe('the headers of an answer', () => {
  it('are passed on, except those that reveal the implementation of the service', async () => {
    const made = {
      ...{ server: 'secret/1.0', via: '1.1 inner', 'x-powered-by': 'x', 'x-caseway-node': '7', 'x-user-id': '1', 'x-customer-id': '7' },
      ...{ 'x-forwarded-host': 'inner', 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' },
    }
    around.cases.on('/expert/rest/tag/answer', (_, response) => {
      response.writeHead(201, {
        ...{ location: 'https://expert.example.test/rest/tag/1', etag: '"1"', link: '<x>; rel="next"', 'x-total-count': '3' },
        ...{ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8', 'set-cookie': ['a=1', 'b=2'] },
        ...made,
      })
      response.end('{"id":1}')
    })
    const { status, headers, text } = await around.expert.get('/rest/tag/answer')
    expect([status, text]).toEqual([201, '{"id":1}'])
    expect(Object.fromEntries(headers)).toMatchObject({
      ...{ location: 'https://expert.example.test/rest/tag/1', etag: '"1"', link: '<x>; rel="next"', 'x-total-count': '3' },
      ...{ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8', 'set-cookie': 'b=2' },
    })
    expect(Object.keys(made).filter((name) => headers.has(name))).toEqual([])
  })

  it('are sent without a body for 304 and HEAD', async () => {
    around.cases.on('/expert/rest/tag/known', (_, response) => response.writeHead(304, { etag: '"1"' }).end())
    const known = await around.expert.get('/rest/tag/known')
    expect([known.status, known.headers.get('etag'), known.text]).toEqual([304, '"1"', ''])
    expect([known.headers.get('content-type'), known.headers.get('content-length')]).toEqual([null, null])
    const head = await around.expert.request('HEAD', '/rest/tag')
    expect([head.status, head.text]).toEqual([200, ''])
  })
})

describe('an answer', () => {
  const paths = [
    '/healthz',
    '/readyz',
    '/nothing',
    '/rest/tag',
    '/rest/tag/',
    '/rest/openapi.json',
    '/docs',
    '/docs/static/swagger-ui.css',
    '/',
  ]

  it.each(paths)('of %s is not sniffed for another type than its Content-Type', async (path) => {
    expect((await around.anybody.get(path)).headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('is not cached, unless the service allows it', async () => {
    around.cases.on('/expert/rest/tag/tagged', ({ headers }, response) => {
      response.setHeader('etag', '"3"').setHeader('cache-control', 'private, no-cache').setHeader('content-type', 'application/json')
      if (headers['if-none-match'] === '"3"') response.writeHead(304).end()
      else response.end('{}')
    })
    const policyOf = async (path: string, headers = {}) => {
      const answer = await around.expert.get(path, headers)
      return [answer.status, answer.headers.get('cache-control'), answer.headers.get('etag')]
    }
    expect(await policyOf('/rest/tag')).toEqual([200, 'no-store', null])
    expect(await policyOf('/rest/unknown')).toEqual([404, 'no-store', null])
    expect(await policyOf('/rest/tag/tagged')).toEqual([200, 'private, no-cache', '"3"'])
    expect(await policyOf('/rest/tag/tagged', { 'if-none-match': '"3"' })).toEqual([304, 'private, no-cache', '"3"'])
    expect((await around.anybody.get('/rest/tag')).headers.get('cache-control')).toBe('no-store')
  })

  it('to a malformed request has the same headers', async () => {
    const { headers } = await rawGet(around.gateway.expertUrl, '/rest/tag', { 'x-large': 'a'.repeat(20_000) })
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  })

  it('has Strict-Transport-Security only where it is configured', async () => {
    const secure = await startTestGateway({ env: { GATEWAY_HSTS_SECONDS: '31536000' } })
    others.push(secure)
    for (const path of paths) {
      expect((await around.anybody.get(path)).headers.has('strict-transport-security')).toBe(false)
      expect([path, (await secure.anybody.get(path)).headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
    }
  })
})

describe('CORS', () => {
  const preflight = { origin: 'https://app.example.test', 'access-control-request-method': 'PUT' }

  it('sends no headers when no origin is configured, and a preflight reaches no service', async () => {
    const before = around.cases.seen.length
    const { status, headers } = await around.anybody.request('OPTIONS', '/rest/tag', undefined, preflight)
    expect(status).toBe(405)
    const answered = await around.expert.get('/rest/tag', { origin: 'https://app.example.test' })
    for (const each of [headers, answered.headers]) {
      expect([...each.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
    expect(around.cases.seen).toHaveLength(before + 1)
  })

  it('allows the configured origins, and no others', async () => {
    const origins = 'https://app.example.test,https://other.example.test'
    const other = await startTestGateway({ env: { GATEWAY_CORS_ORIGINS: origins } })
    others.push(other)
    const open = httpClient(other.gateway.clientUrl)
    const preflightAnswer = await open.request('OPTIONS', '/rest/issue/1', undefined, preflight)
    expect([preflightAnswer.status, preflightAnswer.text]).toEqual([204, ''])
    expect(Object.fromEntries(preflightAnswer.headers)).toMatchObject({
      'access-control-allow-origin': 'https://app.example.test',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Range, If-Range',
      vary: 'Origin',
    })
    expect(preflightAnswer.headers.has('access-control-allow-credentials')).toBe(false)
    const refused = await open.request('OPTIONS', '/rest/issue/1', undefined, { ...preflight, origin: 'https://evil.example.test' })
    expect(refused.headers.has('access-control-allow-origin')).toBe(false)
    expect(other.cases.seen).toEqual([])

    for (const [path, status] of [
      ['/rest/issue', 401],
      ['/nothing', 404],
      ['/healthz', 200],
    ] as const) {
      const answer = await open.get(path, { origin: 'https://other.example.test' })
      expect([path, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([path, status, 'https://other.example.test'])
    }
    const exposed = await other.client.get('/rest/issue', { origin: 'https://app.example.test' })
    expect(exposed.headers.get('access-control-expose-headers')).toBe(
      'Location, ETag, Link, X-Total-Count, Retry-After, X-Request-Id, Content-Disposition, Accept-Ranges, Content-Range',
    )
    expect((await open.request('OPTIONS', '/rest/issue')).body).toMatchObject({ status: 'error', errorCode: 'NOT_FOUND' })
  })
})
