import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { guardedResolver } from '../../src/outbound/index.js'
import { spellings } from './spellings.js'

const here: LookupAddress = { address: '127.0.0.1', family: 4 }
const elsewhere: LookupAddress = { address: '1.1.1.1', family: 4 }
const refused = { name: 'OutboundError', reason: 'refused', message: 'The host is not reachable at a public address over HTTPS.' }

let connections = 0
const server = createServer(() => connections++)
let port = 0
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, done))
  port = (server.address() as { port: number }).port
})
afterAll(() => new Promise((done) => server.close(done)))

describe('a private address', () => {
  const hosts = spellings.map((spelling) => spelling.replace(/:PORT$/, '').replace(/^\[(.*)\]$/, '$1'))

  it.each(hosts)('as %s is refused with one text, and gets no connection', async (host) => {
    // A spelling that is not an IP address resolves to this machine, like a rebound name.
    const resolve = guardedResolver({ privateHosts: [], resolve: (_, done) => done(null, [here]) })
    await expect(resolve(host, port)).rejects.toMatchObject(refused)
    await expect(guardedResolver({ privateHosts: [] })(host, port)).rejects.toMatchObject(refused)
    expect(connections).toBe(0)
  })

  it('next to a public one is refused', async () => {
    const resolve = guardedResolver({ privateHosts: [], resolve: (_, done) => done(null, [elsewhere, here]) })
    await expect(resolve('both.example', port)).rejects.toMatchObject(refused)
  })

  it('of a name that does not resolve, or has no address, is refused with the same text', async () => {
    const unknown = guardedResolver({ privateHosts: ['none.example'], resolve: (_, done) => done(new Error('ENOTFOUND'), []) })
    await expect(unknown('none.example', port)).rejects.toMatchObject(refused)
    await expect(
      guardedResolver({ privateHosts: ['none.example'], resolve: (_, done) => done(null, []) })('none.example', 1),
    ).rejects.toMatchObject(refused)
  })

  it('of a private host is returned, at the configured port', async () => {
    const resolve = guardedResolver({ privateHosts: ['mail.test', 'one.test:993'], resolve: (_, done) => done(null, [here]) })
    expect(await resolve('mail.test', 25)).toEqual({ address: '127.0.0.1', servername: 'mail.test' })
    expect(await resolve('one.test', 993)).toEqual({ address: '127.0.0.1', servername: 'one.test' })
    await expect(resolve('one.test', 143)).rejects.toMatchObject(refused)
  })
})

it('a public host is resolved once, and its name is the one that the certificate must have', async () => {
  const lookups: string[] = []
  const resolve = guardedResolver({
    privateHosts: [],
    resolve(host, done) {
      lookups.push(host)
      done(null, [lookups.length === 1 ? elsewhere : here])
    },
  })
  expect(await resolve('mail.example', 993)).toEqual({ address: '1.1.1.1', servername: 'mail.example' })
  expect(lookups).toEqual(['mail.example'])
})

it('an IP address has no name', async () => {
  expect(await guardedResolver({ privateHosts: [] })('1.1.1.1', 993)).toEqual({ address: '1.1.1.1' })
})
