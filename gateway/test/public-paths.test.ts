import { httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { publicUpstreams } from '../src/upstreams.js'
import type { Seen } from './support/fake-service.js'
import { type Surrounded, startTestGateway } from './support/gateway.js'

const staff = 'https://staff.example.test'
const visitor = { origin: 'https://shop.example.test' }

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway({ env: { GATEWAY_CORS_ORIGINS: staff, GATEWAY_REQUESTS_PER_MINUTE: '20', GATEWAY_TRUSTED_PROXIES: '1' } })
})
afterAll(() => around.stop())

let addresses = 0
const nextAddress = () => ({ 'x-forwarded-for': `203.0.113.${++addresses}` })
const visitors = () => httpClient(around.gateway.clientUrl)

describe.each(Object.keys(publicUpstreams.client))('/%s', (segment) => {
  it('is passed on from the client address, with any token or none', async () => {
    for (const authorization of [undefined, 'Bearer nonsense', `Bearer ${around.tenant.expert.token}`]) {
      const headers = { ...nextAddress(), ...(authorization && { authorization }) }
      const { status, body } = await visitors().get<Seen>(`/${segment}/abc?a=b`, headers)
      expect([status, body.url]).toEqual([200, `/client/${segment}/abc?a=b`])
      expect(body.headers['x-forwarded-for']).toBe(headers['x-forwarded-for'])
    }
  })

  it('does not exist on the expert address, below /rest, or without its second segment', async () => {
    for (const [url, path] of [
      [around.gateway.expertUrl, `/${segment}/abc`],
      [around.gateway.clientUrl, `/rest/${segment}/abc`],
      [around.gateway.clientUrl, `/${segment}`],
      [around.gateway.clientUrl, `/${segment}/abc/`],
    ] as const)
      expect([path, (await httpClient(url).get(path, nextAddress())).status]).toEqual([path, 404])
  })
})

describe('a public path', () => {
  it('accepts bodies of 64 KiB', async () => {
    const post = (size: number) => visitors().post('/poll_answers/save', 'a'.repeat(size), nextAddress())
    expect([(await post(65_536)).status, (await post(65_537)).status]).toEqual([200, 413])
  })

  it('is limited by the IP address of its caller', async () => {
    const from = nextAddress()
    const statuses: number[] = []
    for (let i = 0; i < 21; i++) statuses.push((await visitors().get('/widgets/abc', from)).status)
    expect([statuses.slice(0, 20).every((status) => status === 200), statuses[20]]).toEqual([true, 429])
    expect((await visitors().get('/widgets/abc', nextAddress())).status).toBe(200)
  })

  it('leaves its preflight requests to the service', async () => {
    around.others.on('/client/widgets/embedded', (request, response) => {
      response.writeHead(request.method === 'OPTIONS' ? 204 : 200, {
        'access-control-allow-origin': visitor.origin,
        'cache-control': 'max-age=60',
        vary: 'Accept',
      })
      response.end()
    })
    for (const [method, status] of [
      ['OPTIONS', 204],
      ['GET', 200],
    ] as const) {
      const preflight = { 'access-control-request-method': 'GET' }
      const answer = await visitors().request(method, '/widgets/embedded', undefined, { ...visitor, ...preflight, ...nextAddress() })
      expect(answer.status).toBe(status)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': visitor.origin,
        'cache-control': 'max-age=60',
        vary: 'Accept',
      })
    }
  })

  it('has no CORS headers for the origins that are configured for /rest', async () => {
    const preflight = { origin: staff, 'access-control-request-method': 'GET' }
    const answers = [
      await visitors().request('OPTIONS', '/widgets/abc', undefined, { ...preflight, ...nextAddress() }),
      await visitors().get('/widgets/abc', { origin: staff, ...nextAddress() }),
    ]
    for (const { headers } of answers) expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([null, null])
    const rest = await visitors().request('OPTIONS', '/rest/issue', undefined, preflight)
    expect([rest.status, rest.headers.get('access-control-allow-origin')]).toEqual([204, staff])
  })
})
