import { Readable } from 'node:stream'
import { httpClient } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Seen } from './support/fake-service.js'
import { type Surrounded, startTestGateway } from './support/gateway.js'
import { openConnection, rawGet, rawRequest } from './support/raw.js'

const limitBytes = 1_048_576
const tooLarge = '{"status":"error","errorMessages":"The request is too large.","errorCode":"TOO_LARGE"}'

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway({
    env: {
      GATEWAY_HEADERS_TIMEOUT_MS: '1000',
      GATEWAY_REQUEST_TIMEOUT_MS: '5000',
      // A busy machine may need more than the default for a MiB.
      GATEWAY_UPSTREAM_TIMEOUT_MS: '2500',
      GATEWAY_TRUSTED_PROXIES: '1',
    },
  })
})
afterAll(() => around.stop())

/** Sends the chunks without a Content-Length. */
const stream = (path: string, chunks: Iterable<Uint8Array>) =>
  fetch(around.gateway.expertUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${around.tenant.expert.token}`, 'content-type': 'application/json' },
    body: Readable.toWeb(Readable.from(chunks)) as ReadableStream,
    duplex: 'half',
  })

const chunks = (sizeBytes: number) => Array.from({ length: sizeBytes / 65_536 }, () => new Uint8Array(65_536).fill(97))

describe('a body', () => {
  it('may have 1 MiB, byte for byte', async () => {
    const body = 'é'.repeat(limitBytes / 2)
    expect((await around.expert.post<Seen>('/rest/tag', body)).body.body).toBe(body)
    const streamed = (await (await stream('/rest/tag', chunks(limitBytes))).json()) as Seen
    expect([streamed.body.length, streamed.headers['transfer-encoding']]).toEqual([limitBytes, 'chunked'])
  })

  it('whose Content-Length is larger is 413 and reaches no service', async () => {
    const before = around.cases.seen.length
    const { status, headers, text } = await around.expert.post('/rest/tag', 'a'.repeat(limitBytes + 1))
    expect([status, text, headers.get('content-type')]).toEqual([413, tooLarge, 'application/json; charset=utf-8'])
    expect(around.cases.seen).toHaveLength(before)
  })

  it('that is larger, without a Content-Length, is 413', async () => {
    const before = around.cases.seen.length
    const answer = await stream('/rest/tag', [...chunks(limitBytes), new Uint8Array(1)])
    expect([answer.status, await answer.text()]).toEqual([413, tooLarge])
    expect(around.cases.seen).toHaveLength(before)
    expect((await stream('/rest/tag', chunks(8 * limitBytes))).status).toBe(413)
  })

  it('leaves the connection usable', async () => {
    const head = `POST /rest/tag HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${around.tenant.expert.token}\r\ntransfer-encoding: chunked\r\n\r\n`
    const chunk = `${(limitBytes + 1).toString(16)}\r\n${'a'.repeat(limitBytes + 1)}\r\n0\r\n\r\n`
    const { status, body } = await rawRequest(
      around.gateway.expertUrl,
      `${head}${chunk}GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
    )
    expect([status, body]).toEqual([413, expect.stringContaining(`${tooLarge}HTTP/1.1 200 OK`)])
  })

  it('of any type is passed on unchanged, also with DELETE and when it is empty', async () => {
    const binary = await around.expert.post<Seen>('/rest/tag', '\u0001\n', { 'content-type': 'application/octet-stream' })
    expect(binary.body).toMatchObject({ body: '\u0001\n', headers: { 'content-type': 'application/octet-stream' } })
    expect((await around.expert.request<Seen>('DELETE', '/rest/tag', '{"a":1}')).body).toMatchObject({ method: 'DELETE', body: '{"a":1}' })
    expect((await around.expert.post<Seen>('/rest/tag', '')).body).toMatchObject({ method: 'POST', body: '' })
    expect((await around.expert.post<Seen>('/rest/tag')).body).toMatchObject({ method: 'POST', body: '' })
    expect((await around.expert.put<Seen>('/rest/tag', undefined, { 'content-type': 'application/json' })).status).toBe(200)
  })
})

describe('an incomplete request', () => {
  const shape = { status: 'error', errorMessages: 'The request took too long to arrive.', errorCode: 'REQUEST_TIMEOUT' }

  it('is 408 where its head is incomplete', async () => {
    const startedAt = Date.now()
    const { status, headers, body } = await rawRequest(around.gateway.expertUrl, 'GET /rest/tag HTTP/1.1\r\nhost: a\r\n')
    expect([status, JSON.parse(body)]).toEqual([408, shape])
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'x-request-id': expect.any(String) })
    expect(Date.now() - startedAt).toBeLessThan(10_000)
  })

  it('is 408 where its body is incomplete, however long the timeout for the service', async () => {
    const head = `POST /rest/tag HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${around.tenant.expert.token}\r\ncontent-length: 5\r\n\r\nab`
    const { status, body } = await rawRequest(around.gateway.expertUrl, head)
    expect([status, JSON.parse(body)]).toEqual([408, shape])
  })

  it('does not delay others', async () => {
    const idle = await Promise.all(Array.from({ length: 100 }, () => openConnection(around.gateway.expertUrl)))
    for (const socket of idle) socket.on('error', () => undefined).write('GET /rest/tag HTTP/1.1\r\n')
    expect((await around.expert.get('/rest/tag')).status).toBe(200)
    for (const socket of idle) socket.destroy()
  })
})

describe('an invalid request', () => {
  it('with too large a head is 431', async () => {
    const { status, headers, body } = await rawGet(around.gateway.expertUrl, '/rest/tag', { 'x-large': 'a'.repeat(20_000) })
    expect([status, JSON.parse(body).errorCode]).toEqual([431, 'HEADER_TOO_LARGE'])
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('with too long a target is 431, in the same shape', async () => {
    const { status, headers, body } = await rawGet(around.gateway.expertUrl, `/rest/tag?q=${'a'.repeat(20_000)}`)
    expect([status, JSON.parse(body)]).toEqual([431, { status: 'error', errorMessages: expect.any(String), errorCode: 'HEADER_TOO_LARGE' }])
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
    })
  })

  it('that is not HTTP is 400', async () => {
    const { status, body } = await rawRequest(around.gateway.clientUrl, 'nonsense\r\n\r\n')
    expect([status, JSON.parse(body).errorCode]).toEqual([400, 'BAD_REQUEST'])
  })

  it('with two declarations of its length is 400', async () => {
    const twice = 'POST /rest/token HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'
    expect((await rawRequest(around.gateway.expertUrl, twice)).status).toBe(400)
  })
})

describe('a request for a token', () => {
  const tokenLimitBytes = 65_536
  const refused = { errorMessages: 'The request is too large.', errorCode: 'TOO_LARGE', error: 'invalid_request' }
  const post = (url: string, bytes: number) => httpClient(url).post('/rest/token', 'a'.repeat(bytes))

  it('may have 64 KiB on both addresses; one byte more is 413 in the shape of OAuth and reaches no service', async () => {
    for (const url of [around.gateway.expertUrl, around.gateway.clientUrl]) {
      expect((await post(url, tokenLimitBytes)).status).toBe(200)
      const before = around.auth.seen.length
      const { status, headers, body } = await post(url, tokenLimitBytes + 1)
      expect([status, body]).toEqual([
        413,
        expect.objectContaining({ status: 'error', error_description: refused.errorMessages, ...refused }),
      ])
      expect(headers.get('cache-control')).toBe('no-store')
      expect(around.auth.seen).toHaveLength(before)
    }
  })

  it('may have 64 KiB, as may one that sets a password by a link', async () => {
    const post = (bytes: number) => httpClient(around.gateway.clientUrl).post('/rest/invitation/abc', 'a'.repeat(bytes))
    expect((await post(tokenLimitBytes)).status).toBe(200)
    expect((await post(tokenLimitBytes + 1)).status).toBe(413)
  })

  it('is 413 without a Content-Length as well', async () => {
    expect((await stream('/rest/token', chunks(tokenLimitBytes))).status).toBe(200)
    const answer = await stream('/rest/token', [...chunks(tokenLimitBytes), new Uint8Array(1)])
    expect([answer.status, await answer.json()]).toEqual([413, expect.objectContaining(refused)])
  })
})
