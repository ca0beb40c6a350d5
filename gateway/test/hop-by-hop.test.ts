import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Seen } from './support/fake-service.js'
import { type Surrounded, startTestGateway } from './support/gateway.js'
import { rawGet, rawRequest } from './support/raw.js'

// RFC 9110 7.6.1

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway()
})
afterAll(() => around.stop())

const json = 'content-type: application/json\r\n'
/** Every kind of request to a service: its name, its request line, and the text after the common headers. */
const requests = [
  ['without a body', 'GET /rest/tag', '\r\n'],
  ['with a short body', 'POST /rest/tag', `${json}content-length: 7\r\n\r\n{"a":1}`],
  ['with a body of unknown length', 'POST /rest/tag', `${json}transfer-encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n`],
  ['for the live stream', 'GET /rest/event/stream', '\r\n'],
  ['for the keys of tokens', 'GET /.well-known/jwks.json', '\r\n'],
] as const

describe('a request', () => {
  /** Sends a request with these headers, and resolves to the request that the service receives. */
  async function received(line: string, headers: Record<string, string>, rest: string): Promise<Seen> {
    const all = { host: 'gateway.test', authorization: `Bearer ${around.tenant.expert.token}`, ...headers }
    const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    await rawRequest(around.gateway.expertUrl, `${line} HTTP/1.1\r\n${fields.join('')}${rest}`)
    return [...around.cases.seen.splice(0), ...around.auth.seen.splice(0)].at(-1) as Seen
  }
  const ours = ['authorization', 'connection', 'host', 'x-forwarded-for', 'x-request-id']
  const ofBodies = ['content-length', 'content-type', 'transfer-encoding']

  it.each(requests)('%s is passed on without hop-by-hop headers, and without those that its Connection names', async (_, line, rest) => {
    const { headers, body } = await received(
      line,
      {
        ...{ connection: 'close, X-Private , x-other', 'x-private': 'a', 'x-other': 'b', 'x-public': 'c' },
        ...{ 'keep-alive': 'timeout=5', te: 'trailers', trailer: 'x-checksum', upgrade: 'h2c', expect: '100-continue' },
        ...{ 'proxy-connection': 'close', 'proxy-authorization': 'Basic YTpi', 'proxy-authenticate': 'Basic' },
      },
      rest,
    )
    const names = Object.keys(headers).filter((name) => !ofBodies.includes(name))
    expect(names.sort()).toEqual([...ours, 'x-public'].sort())
    expect(headers.connection).toBe('keep-alive')
    expect(body).toBe(line.startsWith('POST') ? '{"a":1}' : '')
  })

  it.each(requests)('%s keeps the headers that the gateway sets, even if its Connection names them', async (_, line, rest) => {
    const connection = 'close, host, x-forwarded-for, x-request-id, content-length, content-type'
    const { headers, body } = await received(line, { connection, 'x-forwarded-for': '1.2.3.4' }, rest)
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) })
    expect([around.cases.url, around.auth.url]).toContain(`http://${headers.host}`)
    expect(body).toBe(line.startsWith('POST') ? '{"a":1}' : '')
  })
})

describe('an answer', () => {
  const hopByHop = {
    ...{ connection: 'keep-alive, X-Private , x-other', 'x-private': 'a', 'x-other': 'b' },
    ...{ 'keep-alive': 'timeout=99', te: 'trailers', upgrade: 'h2c' },
    ...{ 'proxy-connection': 'close', 'proxy-authenticate': 'Basic', 'proxy-authentication-info': 'a' },
  }
  const answers: [of: string, path: string, send: (response: ServerResponse) => void][] = [
    ['of known length', '/rest/tag/short', (response) => response.writeHead(200, { ...hopByHop, 'content-length': '2' }).end('{}')],
    [
      'of unknown length',
      '/rest/tag/long',
      (response) => {
        response.writeHead(200, { ...hopByHop, 'transfer-encoding': 'chunked' }).write('{')
        response.end('}')
      },
    ],
    ['without a body', '/rest/tag/none', (response) => response.writeHead(204, hopByHop).end()],
    [
      'that is a live stream',
      '/rest/event/stream',
      (response) => response.writeHead(200, { ...hopByHop, 'content-type': 'text/event-stream' }).end('data: 1\n\n'),
    ],
  ]

  it.each(answers)('%s is passed on without hop-by-hop headers, and without those that its Connection names', async (_, path, send) => {
    around.cases.on(`/expert${path}`, (_request, response) => send(response.setHeader('x-public', 'c')))
    const authorization = `Bearer ${around.tenant.expert.token}`
    const { headers } = await rawGet(around.gateway.expertUrl, path, { authorization })
    expect(headers['x-public']).toBe('c')
    expect(headers.connection).toBe('close')
    for (const name of Object.keys(hopByHop).filter((name) => name !== 'connection'))
      expect([name, headers[name]]).toEqual([name, undefined])
  })
})
