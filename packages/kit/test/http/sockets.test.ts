import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { createHttpServer } from '@caseway/kit/http'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { partsOf, sendRaw } from './support/raw.js'
import { type Served, serve } from './support/served.js'

const log = createLog({ service: 'kit-test', level: 'silent' })

let served: Served
beforeAll(async () => {
  const begun = new PassThrough()
  begun.write('a part')
  served = await serve({
    expert: [(app) => void app.post('/heard', async ({ body }) => ({ body }))],
    unprotected: [(app) => void app.get('/begun', async () => begun)],
  })
})
afterAll(() => served.stop())

const notHttp = { status: 400, body: { status: 'error', errorMessages: 'The request is not valid HTTP.', errorCode: 'BAD_REQUEST' } }
const requestId = /\r\nx-request-id: [\w-]{36}\r\n/
const hangsUp = /\r\nconnection: close\r\n/i

describe('invalid HTTP', () => {
  it.each([
    'HELLO\r\n\r\n',
    'BREW /healthz HTTP/1.1\r\nhost: a\r\n\r\n',
    'GET /healthz HTTP/9.9\r\nhost: a\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nhost: a\r\nno colon\r\n\r\n',
    'GET /healthz HTTP/1.1\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nhost: a/b\r\nconnection: close\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nhost: a:b\r\nconnection: close\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nhost: a@b\r\nconnection: close\r\n\r\n',
    'POST /healthz HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n',
    'POST /healthz HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip, chunked\r\nconnection: close\r\n\r\n0\r\n\r\n',
    'POST /healthz HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n0\r\n\r\n',
    'POST /healthz HTTP/1.0\r\nhost: a\r\ntransfer-encoding: chunked\r\nconnection: keep-alive\r\n\r\n0\r\n\r\n',
  ])('%j is refused in the shape of every other error', async (sent) => {
    const answer = await sendRaw(served.port, sent)
    expect(partsOf(answer)).toEqual(notHttp)
    expect(answer).toMatch(requestId)
    expect(answer).toMatch(hangsUp)
  })

  it.each(['', 'a', 'a.example:8443', 'a_b', '127.0.0.1:1', '[::1]:3000'])('is not reported for the host "%s"', async (host) => {
    const answer = await sendRaw(served.port, `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    expect(partsOf(answer)).toMatchObject({ status: 200 })
  })

  it('in the middle of a body is refused once', async () => {
    const head = `authorization: Bearer ${testTenant(served.issuer).expert.token}\r\ncontent-type: application/json`
    const sent = `POST /expert/rest/heard HTTP/1.1\r\nhost: a\r\n${head}\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`
    const answer = await sendRaw(served.port, sent)
    expect(partsOf(answer)).toEqual(notHttp)
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  it('adds no error to an answer that has begun', async () => {
    const answer = await sendRaw(served.port, 'GET /begun HTTP/1.1\r\nhost: a\r\n\r\n', 'HELLO\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n6\r\na part\r\n$/)
  })

  it('with an endless head is 431', async () => {
    const answer = await sendRaw(served.port, `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(partsOf(answer)).toMatchObject({ status: 431, body: { status: 'error', errorCode: 'HEADER_TOO_LARGE' } })
    expect(answer).toMatch(requestId)
  })

  it('with an incomplete head is 408 after ten seconds', async () => {
    const startedAt = Date.now()
    const answer = await sendRaw(served.port, 'GET /healthz HTTP/1.1\r\nhost: a\r\n')
    expect(partsOf(answer)).toMatchObject({ status: 408, body: { status: 'error', errorCode: 'REQUEST_TIMEOUT' } })
    expect(answer).toMatch(requestId)
    expect(Date.now() - startedAt).toBeGreaterThan(9_000)
    expect(Date.now() - startedAt).toBeLessThan(20_000)
  })
})

it('a body that stops arriving is 408, also on a `longLived` route', async () => {
  const app = createHttpServer({ realm: 'door', log, metrics: createMetrics('door'), silenceTimeoutMs: 300 })
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.post('/upload', { config: { longLived: true } }, ({ raw }, reply) => {
    raw.resume().once('end', () => reply.send('whole'))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const upload = (body: string) =>
    sendRaw(port, `POST /upload HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 10\r\n\r\n${body}`)
  expect(await upload('0123456789')).toMatch(/^HTTP\/1\.1 200 OK/)
  const answer = await upload('half')
  expect(partsOf(answer)).toMatchObject({ status: 408, body: { status: 'error', errorCode: 'REQUEST_TIMEOUT' } })
  expect(answer).toMatch(requestId)
  await app.close()
})

it('the rest of a body has a timeout once the request was answered', async () => {
  const app = createHttpServer({ realm: 'door', log, metrics: createMetrics('door'), requestTimeoutMs: 300 })
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.post('/upload', { config: { longLived: true } }, async (_request, reply) => reply.code(403).send('refused'))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  // The client keeps its side open after the server has closed.
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).on('error', () => undefined)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
  socket.write('POST /upload HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n')
  const sending = setInterval(() => socket.write('more'), 20)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(sending)
  expect(answer).toMatch(/^HTTP\/1\.1 403 /)
  await app.close()
})

it('a connection that is kept alive is closed without another answer', async () => {
  const app = createHttpServer({ realm: 'door', log, metrics: createMetrics('door') })
  app.get('/', async () => 'once')
  app.server.keepAliveTimeout = 100
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const answer = await sendRaw(port, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nonce$/)
  await app.close()
})

describe('valid HTTP', () => {
  it.each([
    'GET /healthz HTTP/1.0\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\nconnection: close\r\n\r\n',
    'GET http://elsewhere.example/healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n',
  ])('is answered, even if it is unusual: %j', async (sent) => {
    const answer = await sendRaw(served.port, sent)
    expect(partsOf(answer)).toEqual({ status: 200, body: { status: 'OK' } })
    expect(answer).toMatch(requestId)
  })
})
