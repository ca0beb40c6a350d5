import { registry } from '@caseway/registry'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { upstreams } from '../src/upstreams.js'
import type { FakeService } from './support/fake-service.js'
import { type Surrounded, startTestGateway } from './support/gateway.js'
import { rawGet, rawRequest } from './support/raw.js'

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway()
})
afterAll(() => around.stop())

const notFound = '{"status":"error","errorMessages":"Not found.","errorCode":"NOT_FOUND"}'
const seen = () => [...around.auth.seen, ...around.cases.seen]

describe('the routing table', () => {
  const rows = (['expert', 'client'] as const).flatMap((audience) =>
    Object.entries(upstreams[audience]).map(([prefix, name]) => [audience, prefix, name] as const),
  )

  it.each(rows)('routes %s /rest/%s and the paths below it to %s', async (audience, prefix, name) => {
    const known = { [registry.auth.name]: around.auth, [registry.casesAndCounters.name]: around.cases }
    const service = new Map<string, FakeService>(Object.entries(known)).get(name) ?? around.others
    const http = around[audience]
    for (const path of [`/rest/${prefix}`, `/rest/${prefix}/7`, `/rest/${prefix}/7/x-Y_z~.9?a=b`]) {
      expect((await http.get(path)).body).toMatchObject({ method: 'GET', url: `/${audience}${path}` })
      expect(service.seen.at(-1)?.url).toBe(`/${audience}${path}`)
    }
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'GET', 'HEAD'])(
    'passes %s on, because the service decides whether it is allowed',
    async (method) => {
      const path = `/rest/tag/${method}`
      around.cases.on(`/expert${path}`, (_, response) => response.writeHead(405, { allow: 'TRY' }).end())
      const { status, headers } = await around.expert.request(method, path)
      expect([status, headers.get('allow')]).toEqual([405, 'TRY'])
    },
  )

  it('keeps every byte of the query', async () => {
    const target = "/rest/tag?a=%41%2e%2E&b=a+b%20c&&=&x[]=1;2&q='()*!~|?/..//%&{^}`&name=%C3%A9"
    const { status, body } = await rawGet(around.gateway.expertUrl, target, { authorization: `Bearer ${around.tenant.expert.token}` })
    expect([status, JSON.parse(body).url]).toEqual([200, `/expert${target}`])
  })
})

describe('any other request', () => {
  const tricks = [
    '//',
    '/.',
    '/..',
    '/%2e',
    '/index.html',
    '/front-page',
    '/front-page/',
    '/front-page/index',
    '/front-page/..',
    '/front-page/../front-page.routes.js',
    '/front-page/..%2ffront-page.routes.js',
    '/front-page//main.js',
    '/front-page/./main.js',
    '/front-page/Main.js',
    '/front-page/main.js/',
    '/front-page/nothing.js',
    '/front-page/views',
    '/front-page/modules/lit-html',
    '/front-page/modules/lit-html/package.json',
    '/front-page/modules/constructor/lit-html.js',
    '/front-page/modules/__proto__/lit-html.js',
    '/front-page/modules/lit-html/../lit-html/lit-html.js',
    '/rest',
    '/rest/',
    '/rest/unknown',
    '/rest/tags',
    '/rest/Tag',
    '/REST/tag',
    '/rest/tag/',
    '/rest/tag//1',
    '//rest/tag',
    '/rest//tag',
    '/rest/./tag',
    '/rest/tag/.',
    '/rest/tag/..',
    '/rest/tag/../user',
    '/rest/unknown/../tag',
    '/rest/tag/./1',
    '/rest/tag/%2e%2e/user',
    '/rest/t%61g',
    '/rest/tag%2f1',
    '/rest/tag/%31',
    '/rest/tag%00',
    '/rest/tag%',
    '/rest/tag/%zz',
    '/rest/tag;a=b',
    '/rest/tag/1;x',
    '/rest\\tag',
    '/rest/tag\\..\\user',
    '/rest/tag/*',
    '/rest/tag/a:b',
    '/rest/tag/a,b',
    '/rest/tag#x',
    '*',
    'http://gateway.test/rest/tag',
    '/expert/rest/tag',
    '/client/rest/issue',
    '/expert/openapi.json',
    '/client/openapi.json',
    '/metrics',
    '/rest/healthz',
    '/healthz/',
    '/Healthz',
    '/healthz/x',
    '/rest/openapi.json/',
    '/rest/openapi.json/x',
    '/.well-known',
    '/.well-known/jwks.json/',
    '/.well-known/jwks.json/x',
    '/docs/',
    '/docs/static/../static/index.css',
    '/docs/static/nothing.js',
    `/rest/tag/${'a'.repeat(9000)}/`,
  ]
  const knownOnlyToEmployees = ['tag', 'user', 'user_role', 'audit_event', 'counter'].map((prefix) => `/rest/${prefix}`)

  it.each(tricks)('%s is the same 404, with and without a token, and reaches no service', async (target) => {
    const before = seen().length
    const authorization = `Bearer ${around.tenant.expert.token}`
    for (const headers of [{ authorization }, { authorization: 'Bearer wrong' }, {}]) {
      const { status, headers: answered, body } = await rawGet(around.gateway.expertUrl, target, headers as Record<string, string>)
      expect([target, status, body]).toEqual([target, 404, notFound])
      expect(answered['content-type']).toBe('application/json; charset=utf-8')
      expect(answered['x-request-id']).toMatch(/^[\w-]{36}$/)
    }
    expect(seen()).toHaveLength(before)
  })

  it.each(knownOnlyToEmployees)('%s does not exist for clients', async (path) => {
    const { status, text } = await around.client.get(path)
    expect([status, text]).toEqual([404, notFound])
  })

  it.each(['TRACE', 'OPTIONS', 'PROPFIND'])('%s is refused in the shape of every other error, and reaches no service', async (method) => {
    const before = seen().length
    const { status, headers, body } = await rawGet(around.gateway.expertUrl, '/rest/tag', {}, method)
    expect([404, 405]).toContain(status)
    expect(JSON.parse(body)).toMatchObject({ status: 'error', errorCode: expect.stringMatching(/^(NOT_FOUND|METHOD_NOT_ALLOWED)$/) })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(seen()).toHaveLength(before)
  })

  it('with bytes that no URL may contain is 400', async () => {
    const { status, body } = await rawGet(around.gateway.expertUrl, '/rest/tag/caf\u00c3\u00a9')
    expect([status, JSON.parse(body).errorCode]).toEqual([400, 'BAD_REQUEST'])
  })

  it('CONNECT is refused in the shape of every other error', async () => {
    const { status, headers, body } = await rawRequest(around.gateway.expertUrl, 'CONNECT auth:443 HTTP/1.1\r\nhost: auth:443\r\n\r\n')
    expect([status, JSON.parse(body).errorCode]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(headers['x-request-id']).toMatch(/^[\w-]{36}$/)
  })

  it('with a method that a public path does not have is 405 with the allowed ones', async () => {
    const { status, headers } = await around.anybody.post('/healthz', {})
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it.each(['/rest/tag', '/rest/tag/7', '/rest/tag/7/permission'])(
    'with a method that no service has is 405 with the allowed ones: %s',
    async (path) => {
      for (const method of ['TRACE', 'OPTIONS', 'PROPFIND']) {
        const { status, headers, body } = await rawGet(around.gateway.expertUrl, path, {}, method)
        expect([method, status, JSON.parse(body).errorCode]).toEqual([method, 405, 'METHOD_NOT_ALLOWED'])
        expect(headers.allow?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'])
      }
      expect(JSON.parse((await rawGet(around.gateway.expertUrl, '/rest/unknown/7', {}, 'OPTIONS')).body).errorCode).toBe('NOT_FOUND')
    },
  )
})
