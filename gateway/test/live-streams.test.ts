import type { ServerResponse } from 'node:http'
import { type EventStream, eventStream, eventually } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type Surrounded, startTestGateway } from './support/gateway.js'
import { openConnection } from './support/raw.js'

const path = '/rest/event/stream'

let around: Surrounded
/** The open streams of the service. */
let open: ServerResponse[]
const streams: EventStream[] = []

async function startWith(timeouts: { upstreamMs: number; requestMs: number }) {
  open = []
  around = await startTestGateway({
    env: { GATEWAY_UPSTREAM_TIMEOUT_MS: String(timeouts.upstreamMs), GATEWAY_REQUEST_TIMEOUT_MS: String(timeouts.requestMs) },
  })
  for (const audience of ['expert', 'client']) {
    around.cases.on(`/${audience}${path}`, (request, response) => {
      open.push(response)
      response.once('close', () => open.splice(open.indexOf(response), 1))
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      })
      // An answer to HEAD has no body, so no stream stays open.
      if (request.method === 'HEAD') response.end()
      else response.flushHeaders()
    })
  }
}
async function stop() {
  await Promise.all(streams.splice(0).map((stream) => stream.close()))
  await around.stop()
}
beforeEach(() => startWith({ upstreamMs: 1_000, requestMs: 1_500 }))
afterEach(stop)

async function connect(options: { lastEventId?: string } = {}): Promise<[EventStream, ServerResponse]> {
  const stream = await eventStream(around.gateway.expertUrl + path, around.tenant.expert.token, options)
  streams.push(stream)
  return [stream, open.at(-1) as ServerResponse]
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = Date.now()
  await work()
  return Date.now() - startedAt
}

it('HEAD returns the headers of the stream, and leaves no stream open', async () => {
  const headers = { authorization: `Bearer ${around.tenant.expert.token}` }
  const heads = Array.from({ length: 10 }, () => fetch(around.gateway.expertUrl + path, { method: 'HEAD', headers }))
  for (const { status, headers } of await Promise.all(heads)) {
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  }
  await eventually(() => expect(open).toEqual([]))
})

describe('GET /rest/event/stream', () => {
  it('begins before the first event, and passes each chunk on at once', async () => {
    const [stream, service] = await connect()
    expect(stream.status).toBe(200)
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      ...{ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
      'x-request-id': expect.any(String),
    })
    for (const data of ['first', 'second']) {
      service.write(`id: ${data}\nevent: counter\ndata: ${data}\n\n`)
      expect(await stream.next()).toEqual({ id: data, event: 'counter', data })
      expect(stream.events.at(-1)?.data).toBe(data)
    }
    service.write(': still here\n\n')
    await eventually(() => expect(stream.comments).toEqual(['still here']))
  })

  it('may be silent for longer than any timeout', async () => {
    const [stream, service] = await connect()
    const startedAt = Date.now()
    await eventually(() => expect(Date.now() - startedAt).toBeGreaterThan(2500))
    service.write('data: late\n\n')
    expect(await stream.next()).toMatchObject({ data: 'late' })
  })

  it('passes Last-Event-ID on', async () => {
    const [, service] = await connect({ lastEventId: '17' })
    expect(service.req.headers['last-event-id']).toBe('17')
  })

  it('ends when the service ends it', async () => {
    const [stream, service] = await connect()
    service.end('data: last\n\n')
    expect(await stream.next()).toMatchObject({ data: 'last' })
    await stream.ended
    expect(open).toEqual([])
  })

  it('ends when the service dies', async () => {
    const [stream, service] = await connect()
    service.destroy()
    await stream.ended
  })

  it('is closed at the service when the caller disconnects', async () => {
    const [stream] = await connect()
    await stream.close()
    await eventually(() => expect(open).toEqual([]))
  })

  it('occupies no connections of other requests', async () => {
    await stop()
    await startWith({ upstreamMs: 20_000, requestMs: 20_000 })
    const many = await Promise.all(Array.from({ length: 300 }, () => connect()))
    expect(many.map(([{ status }]) => status)).toEqual(many.map(() => 200))
    expect(await msOf(async () => expect((await around.expert.get('/rest/tag')).status).toBe(200))).toBeLessThan(5000)
  })

  it('passes on a refusal of the service', async () => {
    around.cases.on(`/expert${path}`, (_, response) => response.writeHead(403, { 'content-type': 'application/json' }).end('{"no":1}'))
    const { status, text } = await around.expert.get(path)
    expect([status, text]).toEqual([403, '{"no":1}'])
  })

  it('is 504 when the service does not begin', async () => {
    around.cases.on(`/expert${path}`, () => undefined)
    expect(await around.expert.get(path)).toMatchObject({ status: 504, body: { errorCode: 'GATEWAY_TIMEOUT' } })
  })
})

describe('a gateway that stops', () => {
  it('ends streams, and connections without a request, within seconds', async () => {
    const [stream] = await connect()
    const idle = await Promise.all([around.gateway.expertUrl, around.gateway.clientUrl].map(openConnection))
    const closed = idle.map(
      (socket) =>
        new Promise((done) =>
          socket
            .on('error', () => undefined)
            .once('close', done)
            .resume(),
        ),
    )
    expect(await msOf(() => around.gateway.stop())).toBeLessThan(10_000)
    await stream.ended
    await Promise.all(closed)
    expect(open).toEqual([])
  })

  it('waits for running requests, but not for ever', async () => {
    around.cases.on('/expert/rest/tag/soon', (_, response) => setTimeout(() => response.end('{"soon":1}'), 200))
    around.cases.on('/expert/rest/tag/endless', (_, response) => {
      response.write('a')
      const more = setInterval(() => response.write('a'), 50)
      response.once('close', () => clearInterval(more))
    })
    const endless = await fetch(`${around.gateway.expertUrl}/rest/tag/endless`, {
      headers: { authorization: `Bearer ${around.tenant.expert.token}` },
    })
    const soon = around.expert.get('/rest/tag/soon')
    await eventually(() => expect(around.cases.connections).toBeGreaterThan(1))
    const stopping = msOf(() => around.gateway.stop())
    expect((await soon).text).toBe('{"soon":1}')
    expect(await stopping).toBeLessThan(10_000)
    await expect(endless.text()).rejects.toThrow()
  })

  it('waits for as long as a service may take to answer', async () => {
    const other = await startTestGateway({ env: { GATEWAY_UPSTREAM_TIMEOUT_MS: '5000' } })
    other.cases.on('/expert/rest/tag/late', (_, response) => setTimeout(() => response.end('{"late":1}'), 4_500))
    const late = other.expert.get('/rest/tag/late')
    await eventually(() => expect(other.cases.connections).toBeGreaterThan(0))
    await other.gateway.stop()
    expect((await late).text).toBe('{"late":1}')
    await other.stop()
  })

  it('is not ready at once, and serves requests until it closes', async () => {
    const other = await startTestGateway({ env: { GATEWAY_READINESS_DELAY_MS: '300' } })
    expect((await other.anybody.get('/readyz')).body).toEqual({ status: 'OK' })
    const stopping = other.gateway.stop()
    const { status, headers, body } = await other.anybody.get('/readyz')
    expect([status, headers.get('retry-after'), body]).toEqual([503, '1', expect.objectContaining({ errorCode: 'UNAVAILABLE' })])
    expect((await other.anybody.get('/healthz')).body).toEqual({ status: 'OK' })
    expect((await other.expert.get('/rest/tag')).status).toBe(200)
    await stopping
    await expect(other.anybody.get('/healthz')).rejects.toThrow()
    await other.stop()
  })

  it('does not start when a port is taken', async () => {
    const { port } = new URL(around.gateway.expertUrl)
    await expect(startTestGateway({ env: { GATEWAY_CLIENT_HTTP_PORT: port } })).rejects.toThrow('EADDRINUSE')
  })
})
