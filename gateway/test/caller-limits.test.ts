import type { ServerResponse } from 'node:http'
import { serviceNames, urlVariable } from '@caseway/registry'
import { eventStream, eventually, type HttpClient, httpClient, randomId, testClient } from '@caseway/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { config } from '../src/config.js'
import { type Surrounded, startTestGateway } from './support/gateway.js'
import { openConnection } from './support/raw.js'

const started: Surrounded[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((around) => around.stop()))
})

async function start(limits: { perMinute?: number; atOnce?: number }): Promise<Surrounded> {
  const { perMinute = 1_000, atOnce = 100 } = limits
  const around = await startTestGateway({
    env: { GATEWAY_REQUESTS_PER_MINUTE: String(perMinute), GATEWAY_REQUESTS_AT_ONCE: String(atOnce), GATEWAY_TRUSTED_PROXIES: '1' },
  })
  started.push(around)
  return around
}

const refused = { status: 'error', errorMessages: 'Too many requests. Try again later.', errorCode: 'TOO_MANY_REQUESTS' }

async function statusesOf(count: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < count; i++) statuses.push((await ask()).status)
  return statuses
}

describe('the requests of a caller in a minute', () => {
  it('are as many as configured; one more is 429 and reaches no service', async () => {
    const around = await start({ perMinute: 3 })
    expect(await statusesOf(3, () => around.expert.get('/rest/tag'))).toEqual([200, 200, 200])
    const { status, body, headers } = await around.expert.get('/rest/tag')
    expect([status, body]).toEqual([429, refused])
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(around.cases.seen).toHaveLength(3)
  })

  it('are counted over all tokens of the caller and over all services, and separately for other callers', async () => {
    const around = await start({ perMinute: 2 })
    const { expert, trainee } = around.tenant
    const twin = around.anybody.as(around.issuer.tokenFor({ ...expert.caller, sessionId: 'another' }))
    expect([(await around.expert.get('/rest/tag')).status, (await twin.get('/rest/user')).status]).toEqual([200, 200])
    expect([(await around.expert.get('/rest/tag')).status, (await twin.get('/rest/user')).status]).toEqual([429, 429])
    expect((await around.anybody.as(trainee.token).get('/rest/tag')).status).toBe(200)
  })

  it('are counted separately for an employee and a client with the same id', async () => {
    const around = await start({ perMinute: 1 })
    const id = randomId()
    const employee = around.anybody.as(around.tenant.employee('expert', id).token)
    const client = httpClient(around.gateway.clientUrl, testClient(around.issuer, id).token)
    expect(await statusesOf(2, () => employee.get('/rest/tag'))).toEqual([200, 429])
    expect(await statusesOf(2, () => client.get('/rest/issue'))).toEqual([200, 429])
  })

  it('are 6,000, and 100 at the same time, by default', () => {
    const required = ['EXPERT_URL', 'CLIENT_URL', 'JWKS_URL', ...serviceNames.map(urlVariable)]
    const urls = Object.fromEntries(required.map((name) => [name, 'https://a.example']))
    const values = config.read({ ...urls, TOKEN_ISSUER: 'caseway', AUTH_GRPC_ADDRESS: 'dns:///auth:50051', GRPC_INSECURE: 'true' })
    expect(values).toMatchObject({ requestsPerMinute: 6_000, requestsAtOnce: 100 })
  })
})

describe('requests without a valid token', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address })

  it('count for their IP address, for any path and any reason of their refusal', async () => {
    const around = await start({ perMinute: 4 })
    const answers = [
      await around.anybody.get('/rest/tag', from('10.0.0.1')),
      await around.anybody.as('no token').get('/rest/tag', from('10.0.0.1')),
      await around.anybody.get('/rest/openapi.json', from('10.0.0.1')),
      await around.anybody.post('/rest/token', {}, from('10.0.0.1')),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200, 200])
    for (const path of ['/rest/tag', '/rest/openapi.json', '/docs', '/', '/.well-known/jwks.json', '/rest/event/stream?ticket=a']) {
      const { status, body } = await around.anybody.get(path, from('10.0.0.1'))
      expect([path, status, body]).toEqual([path, 429, refused])
    }
    const token = await around.anybody.post('/rest/token', {}, from('10.0.0.1'))
    expect([token.status, token.body]).toEqual([429, expect.objectContaining({ ...refused, error: 'temporarily_unavailable' })])
    expect((await around.anybody.get('/rest/tag', from('10.0.0.2'))).status).toBe(401)
  })

  it('count for the /64 of an IPv6 address', async () => {
    const around = await start({ perMinute: 1 })
    const asks = async (address: string) => (await around.anybody.get('/rest/tag', from(address))).status
    expect([await asks('2001:db8::1'), await asks('2001:db8::ffff:1'), await asks('2001:db8:0:1::1')]).toEqual([401, 429, 401])
  })

  it('do not count towards the limits of callers with a token, nor of health checks', async () => {
    const around = await start({ perMinute: 1 })
    expect(await statusesOf(2, () => around.anybody.get('/rest/tag', from('10.0.0.1')))).toEqual([401, 429])
    expect((await around.expert.get('/rest/tag', from('10.0.0.1'))).status).toBe(200)
    expect(await statusesOf(3, () => around.anybody.get('/readyz', from('10.0.0.1')))).toEqual([200, 200, 200])
    expect(await statusesOf(3, () => around.anybody.get('/healthz', from('10.0.0.1')))).toEqual([200, 200, 200])
  })
})

describe('the requests of a caller at the same time', () => {
  /** Sends requests that the service does not answer until they are released. */
  async function held(around: Surrounded, count: number, http: HttpClient = around.expert) {
    const waiting: ServerResponse[] = []
    around.cases.on('/expert/rest/tag/held', (_, response) => waiting.push(response))
    const answers = Array.from({ length: count }, () => http.get('/rest/tag/held'))
    await eventually(() => expect(waiting).toHaveLength(count))
    const release = async () => {
      for (const response of waiting.splice(0)) response.end('{}')
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    return { release }
  }

  it('are as many as configured; one more is 429 until one is answered', async () => {
    const around = await start({ atOnce: 3 })
    const two = await held(around, 2)
    expect((await around.expert.get('/rest/tag')).status).toBe(200)
    const third = await held(around, 1)
    const { status, body, headers } = await around.expert.get('/rest/tag')
    expect([status, body, headers.get('retry-after')]).toEqual([429, refused, '1'])
    expect((await around.anybody.as(around.tenant.trainee.token).get('/rest/tag')).status).toBe(200)
    expect(await third.release()).toEqual([200])
    expect((await around.expert.get('/rest/tag')).status).toBe(200)
    expect(await two.release()).toEqual([200, 200])
  })

  it('are no longer counted when their connection is closed', async () => {
    const around = await start({ atOnce: 1 })
    let received = 0
    around.cases.on('/expert/rest/tag/held', () => received++)
    const socket = await openConnection(around.gateway.expertUrl)
    socket.write(`GET /rest/tag/held HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${around.tenant.expert.token}\r\n\r\n`)
    await eventually(() => expect(received).toBe(1))
    expect((await around.expert.get('/rest/tag')).status).toBe(429)
    socket.destroy()
    await eventually(async () => expect((await around.expert.get('/rest/tag')).status).toBe(200))
  })

  it('do not include requests for a token, which auth limits', async () => {
    const around = await start({ atOnce: 1 })
    const waiting: ServerResponse[] = []
    around.auth.on('/expert/rest/token', (_, response) => waiting.push(response))
    const answers = Array.from({ length: 3 }, () => around.anybody.post('/rest/token', {}))
    await eventually(() => expect(waiting).toHaveLength(3))
    for (const response of waiting) response.end('{}')
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('do not include live streams', async () => {
    const around = await start({ atOnce: 1 })
    around.cases.on('/expert/rest/event/stream', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).flushHeaders()
    })
    const open = () => eventStream(`${around.gateway.expertUrl}/rest/event/stream`, around.tenant.expert.token)
    const streams = [await open(), await open()]
    expect(streams.map(({ status }) => status)).toEqual([200, 200])
    expect((await around.expert.get('/rest/tag')).status).toBe(200)
    await Promise.all(streams.map((stream) => stream.close()))
  })
})
