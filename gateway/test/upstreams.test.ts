import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Seen } from './support/fake-service.js'
import { type Surrounded, startTestGateway } from './support/gateway.js'
import { openConnection } from './support/raw.js'

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway({ env: { GATEWAY_UPSTREAM_CONNECTIONS: '4' } })
})
afterAll(() => around.stop())

const timeout = '{"status":"error","errorMessages":"The service took too long to answer.","errorCode":"GATEWAY_TIMEOUT"}'
const away = '{"status":"error","errorMessages":"The service is temporarily unavailable.","errorCode":"UNAVAILABLE"}'
const never = () => undefined
/** Far less than the 300 seconds of undici's default timeout, and far more than the delays of a busy machine. */
const lateMs = 20_000

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const startedAt = Date.now()
  return [await work(), Date.now() - startedAt]
}

describe('a service that hangs', () => {
  it('is 504 after 5 seconds by default', async () => {
    const other = await startTestGateway({ env: { GATEWAY_UPSTREAM_TIMEOUT_MS: '' } })
    other.cases.on('/expert/rest/tag/hung', never)
    const [{ status, text, headers }, ms] = await timed(() => other.expert.get('/rest/tag/hung'))
    expect([status, text, headers.get('content-type')]).toEqual([504, timeout, 'application/json; charset=utf-8'])
    expect(ms).toBeGreaterThan(4900)
    expect(ms).toBeLessThan(lateMs)
    await other.stop()
  })

  it.each(['GET', 'POST', 'DELETE'])('is 504 for %s', async (method) => {
    around.cases.on('/expert/rest/tag/hung', never)
    const [{ status, text }, ms] = await timed(() =>
      around.expert.request(method, '/rest/tag/hung', method === 'POST' ? { a: 1 } : undefined),
    )
    expect([status, text]).toEqual([504, timeout])
    expect(ms).toBeLessThan(lateMs)
  })

  it('is 504 also when it does not read the body', async () => {
    around.cases.on('/expert/rest/tag/deaf', (request) => request.pause())
    const [{ status, text }, ms] = await timed(() => around.expert.post('/rest/tag/deaf', 'a'.repeat(1_000_000)))
    expect([status, text]).toEqual([504, timeout])
    expect(ms).toBeLessThan(lateMs)
  })

  it('does not delay other services, even when all connections to it are in use and requests wait', async () => {
    const other = await startTestGateway({ env: { GATEWAY_UPSTREAM_CONNECTIONS: '4', GATEWAY_UPSTREAM_TIMEOUT_MS: '20000' } })
    const held: (() => void)[] = []
    let released = false
    other.cases.on('/expert/rest/counter/held', (_, response) => {
      if (released) response.end()
      else held.push(() => response.end())
    })
    const hung = Array.from({ length: 20 }, () => other.expert.get('/rest/counter/held'))
    await eventually(() => expect(held).toHaveLength(4))
    for (let i = 0; i < 20; i++) expect((await other.expert.get('/rest/user')).status).toBe(200)
    expect(held).toHaveLength(4)
    released = true
    for (const release of held) release()
    expect((await Promise.all(hung)).map(({ status }) => status)).toEqual(Array(20).fill(200))
    await other.stop()
  })

  it('is 504 also for requests that wait for a connection to it', async () => {
    around.cases.on('/expert/rest/counter/hung', never)
    const hung = Array.from({ length: 20 }, () => around.expert.get('/rest/counter/hung'))
    expect((await Promise.all(hung)).map(({ status }) => status)).toEqual(Array(20).fill(504))
    expect((await around.expert.get('/rest/tag')).status).toBe(200)
  })

  it('in the middle of a short answer is 504 as well', async () => {
    around.cases.on('/expert/rest/tag/half', (_, response) => void response.writeHead(200, { 'content-length': '10' }).write('half'))
    const [{ status, text }, ms] = await timed(() => around.expert.get('/rest/tag/half'))
    expect([status, text]).toEqual([504, timeout])
    expect(ms).toBeLessThan(lateMs)
  })

  it('in the middle of a long answer, of which a part was sent, makes the gateway abort it', async () => {
    around.cases.on('/expert/rest/tag/half', (_, response) => void response.writeHead(200, { 'content-length': '100000' }).write('half'))
    const [outcome, ms] = await timed(() =>
      around.expert.get('/rest/tag/half').then(
        () => 'came',
        () => 'broke off',
      ),
    )
    expect(outcome).toBe('broke off')
    expect(ms).toBeLessThan(lateMs)
  })

  it('and answers after the caller has disconnected causes no error', async () => {
    const answers: (() => void)[] = []
    around.cases.on('/expert/rest/tag/late', (_, response) => void answers.push(() => response.end('late')))
    const socket = await openConnection(around.gateway.expertUrl)
    socket.write(`GET /rest/tag/late HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${around.tenant.expert.token}\r\n\r\n`)
    await eventually(() => expect(answers).toHaveLength(1))
    socket.destroy()
    answers[0]?.()
    expect((await around.expert.get('/rest/tag')).status).toBe(200)
  })

  it('is not timed out for a caller who reads slowly', async () => {
    const sizeBytes = 32 * 1_048_576
    around.cases.on('/expert/rest/tag/large', (_, response) => response.end(Buffer.alloc(sizeBytes)))
    const socket = await openConnection(around.gateway.expertUrl)
    const head = `GET /rest/tag/large HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${around.tenant.expert.token}\r\nconnection: close\r\n\r\n`
    socket.write(head)
    const startedAt = Date.now()
    await eventually(() => expect(Date.now() - startedAt).toBeGreaterThan(2500))
    let readBytes = 0
    for await (const chunk of socket) readBytes += chunk.length
    expect(readBytes).toBeGreaterThan(sizeBytes)
  })

  it('is not timed out for a caller who sends slowly', async () => {
    const socket = await openConnection(around.gateway.expertUrl)
    const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
    const head = `POST /rest/tag HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${around.tenant.expert.token}\r\ncontent-length: 3\r\n\r\na`
    const startedAt = Date.now()
    socket.write(head)
    await eventually(() => expect(Date.now() - startedAt).toBeGreaterThan(900))
    socket.write('bc')
    expect(await answered).toMatch(/^HTTP\/1.1 200 /)
    socket.destroy()
  })
})

describe('a service that is down', () => {
  it('is 503 with Retry-After, while other services are served', async () => {
    const other = await startTestGateway({ prepare: ({ cases }) => cases.stop() })
    for (const method of ['GET', 'POST', 'DELETE']) {
      const [{ status, headers, text }, ms] = await timed(() =>
        other.expert.request(method, '/rest/tag', method === 'POST' ? {} : undefined),
      )
      expect([status, headers.get('retry-after'), text]).toEqual([503, '1', away])
      expect(ms).toBeLessThan(lateMs)
    }
    expect((await other.expert.get('/rest/user')).status).toBe(200)
    expect(other.lines.join('')).toContain('a request could not be answered')
    await Promise.all([other.auth.stop(), other.sessions.stop()])
    expect((await other.anybody.post('/rest/token', {})).body).toMatchObject({ errorCode: 'UNAVAILABLE', error: 'temporarily_unavailable' })
    expect((await other.anybody.get('/.well-known/jwks.json')).text).toBe(away)
    await other.stop()
  })

  it('is 503 when it closes the connection without an answer', async () => {
    around.cases.on('/expert/rest/tag/reset', ({ socket }) => socket.destroy())
    const { status, headers, text } = await around.expert.post('/rest/tag/reset', { a: 1 })
    expect([status, headers.get('retry-after'), text]).toEqual([503, '1', away])
  })

  it('gets only a request that is safe to repeat again', async () => {
    const tries: string[] = []
    around.cases.on('/expert/rest/tag/flaky', ({ method = '', socket }, response) => {
      tries.push(method)
      if (tries.length === 1) socket.destroy()
      else response.end('{}')
    })
    expect((await around.expert.get('/rest/tag/flaky')).status).toBe(200)
    expect(tries).toEqual(['GET', 'GET'])
    tries.length = 0
    expect((await around.expert.delete('/rest/tag/flaky')).status).toBe(503)
    expect(tries).toEqual(['DELETE'])
  })

  it('that answers 503 has its answer passed on, without a retry', async () => {
    let tries = 0
    around.cases.on('/expert/rest/tag/busy', (_, response) => {
      tries++
      response.writeHead(503, { 'retry-after': '7', 'content-type': 'application/json' }).end('{"own":1}')
    })
    const { status, headers, text } = await around.expert.get('/rest/tag/busy')
    expect([status, headers.get('retry-after'), text, tries]).toEqual([503, '7', '{"own":1}', 1])
  })

  it('that does not answer with HTTP is 503, without its address in the answer', async () => {
    around.cases.on('/expert/rest/tag/nonsense', ({ socket }) => socket.end('nonsense\r\n\r\n'))
    const { status, text } = await around.expert.post('/rest/tag/nonsense', {})
    expect([status, text]).toEqual([503, away])
  })
})

describe('a caller who disconnects', () => {
  it('aborts the request to the service', async () => {
    let ended = false
    around.cases.on('/expert/rest/tag/long', (_, response) => {
      response.once('close', () => (ended = true))
      response.write('begun')
      setInterval(() => response.write('x'), 50).unref()
    })
    const leaving = new AbortController()
    const answer = await fetch(`${around.gateway.expertUrl}/rest/tag/long`, {
      headers: { authorization: `Bearer ${around.tenant.expert.token}` },
      signal: leaving.signal,
    })
    expect(answer.status).toBe(200)
    leaving.abort()
    await eventually(() => expect(ended).toBe(true))
  })

  it('in the middle of the body aborts the request to the service', async () => {
    const socket = await openConnection(around.gateway.expertUrl)
    const head = `POST /rest/tag/gone HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${around.tenant.expert.token}\r\ntransfer-encoding: chunked\r\n\r\n`
    let aborted = false
    around.cases.on('/expert/rest/tag/gone', (request) => request.on('error', () => (aborted = true)).resume())
    socket.write(`${head}2\r\nab\r\n`)
    await eventually(() => expect(around.cases.connections).toBeGreaterThan(0))
    socket.destroy()
    await eventually(() => expect(aborted).toBe(true))
    expect((await around.expert.get<Seen>('/rest/tag')).status).toBe(200)
  })
})
