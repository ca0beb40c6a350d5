import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { createAuthority } from '@caseway/install/certificates/authority.mjs'
import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { lookupBy, type Resolve } from '../../src/outbound/guarded-connect.js'
import { type OutboundFetch, type OutboundOptions, outboundFetch } from '../../src/outbound/index.js'
import { spellings } from './spellings.js'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function listening(server: Server): Promise<{ port: number; connections: () => number }> {
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>((done) => server.listen(0, done))
  ends.push(async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

const answering = (listener: RequestListener) => listening(createServer(listener))
const here: LookupAddress = { address: '127.0.0.1', family: 4 }
/** A public address; nothing is sent to it. */
const elsewhere: LookupAddress = { address: '1.1.1.1', family: 4 }

function fetchWith(options: Partial<OutboundOptions> = {}): OutboundFetch {
  const fetch = outboundFetch({ privateHosts: [], timeoutMs: 2000, maxBytes: 1000, ...options })
  ends.push(() => fetch.close())
  return fetch
}

const stop = (interval: NodeJS.Timeout) => () => clearInterval(interval)

const refused = { name: 'OutboundError', reason: 'refused', message: 'The host is not reachable at a public address over HTTPS.' }

describe('a private address', () => {
  it.each(spellings)('as %s is refused without a connection', async (spelling) => {
    const server = await answering((_, answer) => answer.end())
    const fetch = fetchWith({ resolve: (_, done) => done(null, [here]) })
    for (const scheme of ['http', 'https']) {
      await expect(fetch(`${scheme}://${spelling.replace('PORT', String(server.port))}`)).rejects.toMatchObject(refused)
    }
    expect(server.connections()).toBe(0)
  })

  it('next to a public one is refused', async () => {
    const fetch = fetchWith({ resolve: (_, done) => done(null, [elsewhere, here]) })
    await expect(fetch('https://both.example')).rejects.toMatchObject(refused)
  })

  it('to which a name is rebound after the check gets no connection', async () => {
    const isAllowed = jest.fn<(address: string) => boolean>().mockReturnValue(true)
    const resolve = jest.fn<Resolve>((_, done) => done(null, [resolve.mock.calls.length === 1 ? elsewhere : here]))
    const address = await new Promise((done) => lookupBy(resolve, isAllowed)('rebinding.example', {}, (_, resolved) => done(resolved)))
    expect([address, isAllowed.mock.calls, resolve.mock.calls.length]).toEqual([elsewhere.address, [[elsewhere.address]], 1])
  })

  it('is refused as a name that does not resolve', async () => {
    const fetch = fetchWith({ resolve: (_, done) => done(new Error('ENOTFOUND'), []) })
    await expect(fetch('https://nobody.example')).rejects.toMatchObject(refused)
  })

  it('of a private host is called, also over plain HTTP', async () => {
    const server = await answering(({ headers }, answer) => answer.end(headers.host))
    const resolve: OutboundOptions['resolve'] = (_, done) => done(null, [here])
    const privateHosts = [`receiver.test:${server.port}`, '127.0.0.1']
    const fetch = fetchWith({ privateHosts, resolve })
    for (const host of [`receiver.test:${server.port}`, `127.0.0.1:${server.port}`]) {
      expect(await (await fetch(`http://${host}`)).text()).toBe(host)
    }
    await expect(fetch('http://receiver.test:1')).rejects.toMatchObject(refused)
  })
})

it.each([
  '',
  'receiver.example',
  'ftp://receiver.example',
  'https://user:secret@receiver.example',
  'http://receiver.example',
  'file:///etc/passwd',
])('%j is refused', (url) => expect(fetchWith({ resolve: (_, done) => done(null, [elsewhere]) })(url)).rejects.toMatchObject(refused))

describe('an answer', () => {
  const asking = async (listener: RequestListener, options: Partial<OutboundOptions> = {}) => {
    const { port } = await answering(listener)
    const fetch = fetchWith({ privateHosts: ['127.0.0.1'], ...options })
    return (request = {}) => fetch(`http://127.0.0.1:${port}/path?query`, request)
  }

  it('has status, headers and body, and the request arrives as it was written', async () => {
    const ask = await asking(async (request, answer) => {
      const sent = [request.method, request.url, request.headers['x-sent'], await new Response(request as never).text()]
      answer.writeHead(201, { 'x-got': 'yes', 'set-cookie': ['a=1', 'b=2'] }).end(JSON.stringify(sent))
    })
    const answer = await ask({ method: 'POST', headers: { 'x-sent': 'it' }, body: new URLSearchParams({ a: 'ą b' }) })
    expect([answer.status, answer.headers.get('x-got'), answer.headers.getSetCookie()]).toEqual([201, 'yes', ['a=1', 'b=2']])
    expect(await answer.json()).toEqual(['POST', '/path?query', 'it', 'a=%C4%85+b'])
  })

  it('may have no body', async () => {
    const ask = await asking((_, answer) => answer.writeHead(204).end())
    expect((await ask()).status).toBe(204)
  })

  it('that redirects is returned and not followed', async () => {
    const ask = await asking((_, answer) => answer.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
    const { status, headers } = await ask()
    expect([status, headers.get('location')]).toEqual([302, 'http://127.0.0.1:1/'])
  })

  it('larger than the limit is an error, with or without Content-Length', async () => {
    for (const headers of [{ 'content-length': '2000' }, {}]) {
      const ask = await asking((_, answer) => answer.writeHead(200, headers).end('x'.repeat(2000)))
      await expect(ask()).rejects.toMatchObject({ name: 'OutboundError', reason: 'too-large' })
    }
  })

  it('that is compressed stays as it is', async () => {
    const bomb = gzipSync('x'.repeat(100_000))
    const ask = await asking((_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
    expect(Buffer.from(await (await ask()).arrayBuffer())).toEqual(bomb)
  })

  it.each<[string, RequestListener]>([
    ['does not begin', () => undefined],
    ['does not end', (_, answer) => void answer.writeHead(200).write('half')],
    ['comes slowly without an end', (_, answer) => answer.once('close', stop(setInterval(() => answer.write('.'), 20)))],
  ])('that %s is an error in time', async (_, listener) => {
    const ask = await asking(listener, { timeoutMs: 200 })
    await expect(ask()).rejects.toMatchObject({ name: 'OutboundError', reason: 'timeout' })
  })

  it('that is truncated, and a closed port, are unreachable', async () => {
    const ask = await asking(({ socket }) => socket.destroy())
    await expect(ask()).rejects.toMatchObject({ name: 'OutboundError', reason: 'unreachable' })
    const { port } = await answering(() => undefined)
    await ends.pop()?.()
    const fetch = fetchWith({ privateHosts: ['127.0.0.1'] })
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ reason: 'unreachable', message: 'The host did not answer.' })
  })

  it('whose request is aborted rejects with the reason of the signal', async () => {
    const ask = await asking(() => undefined)
    const reason = new Error('given up')
    await expect(ask({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

it('over HTTPS the certificate must name the host', async () => {
  const authority = await createAuthority()
  const { certificate: cert, key } = await authority.issue(['receiver.test'])
  const { port } = await listening(createTlsServer({ cert, key }, (_, answer) => answer.end('there')))
  const fetchTrusting = () => fetchWith({ privateHosts: ['receiver.test', 'other.test'], resolve: (_, done) => done(null, [here]) })
  await expect(fetchTrusting()(`https://receiver.test:${port}`)).rejects.toMatchObject({ reason: 'unreachable' })

  const trusted = getCACertificates()
  ends.push(async () => setDefaultCACertificates(trusted))
  setDefaultCACertificates([authority.certificate])
  expect(await (await fetchTrusting()(`https://receiver.test:${port}`)).text()).toBe('there')
  await expect(fetchTrusting()(`https://other.test:${port}`)).rejects.toMatchObject({ reason: 'unreachable' })
})
