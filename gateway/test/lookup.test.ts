import type { LookupOptions } from 'node:dns'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'
import { type Copy, createCopies } from '../src/forwarding/copies.client.js'
import { rotatingLookup } from '../src/forwarding/lookup.js'

const [one, two, three] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => ({ address, family: 4 }))

/** A resolver that always returns the same order. */
const lookupIn = (...addresses: object[]) => {
  const lookup = rotatingLookup((_, __, callback) => callback(null, addresses as never))
  return promisify((options: LookupOptions, done: (...answer: never[]) => void) => lookup('copies', options, done as never))
}

it('rotates the order of the addresses', async () => {
  const lookup = lookupIn(one as object, two as object, three as object)
  const orders = [await lookup({ all: true }), await lookup({ all: true }), await lookup({ all: true }), await lookup({ all: true })]
  expect(orders).toEqual([
    [one, two, three],
    [two, three, one],
    [three, one, two],
    [one, two, three],
  ])
})

it('returns one address where `all` is not requested', async () => {
  const lookup = lookupIn(one as object, two as object)
  expect([await lookup({}), await lookup({})]).toEqual(['10.0.0.1', '10.0.0.2'])
})

it('distributes the connections of a name over its addresses, independently of lookups of other names', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2']
  const requestsOf = addresses.map(() => 0)
  const servers = addresses.map((_, index) =>
    createServer((_request, response) => {
      requestsOf[index] = (requestsOf[index] as number) + 1
      response.end()
    }),
  )
  let port = 0
  for (const [index, server] of servers.entries()) {
    server.listen(port, addresses[index])
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const everywhere = addresses.map((address) => ({ address, family: 4 }))
  const urls = ['one', 'two'].map((name) => `http://${name}.test:${port}`)
  const copies = createCopies(urls, {}, (_, __, callback) => callback(null, everywhere))
  const [first, second] = [copies.next(new Set()), copies.next(new Set())]
  for (let round = 0; round < 4; round++) {
    for (const copy of [first, second]) {
      const { body } = await (copy as Copy).pool.request({ path: '/', method: 'GET', reset: true })
      await body.dump()
    }
  }
  expect(requestsOf).toEqual([4, 4])
  await copies.close()
  for (const server of servers) server.close()
})

it('passes on the error of the resolver', async () => {
  const unknown = rotatingLookup((_, __, callback) => callback(new Error('ENOTFOUND'), []))
  await expect(promisify(unknown)('copies', {})).rejects.toThrow('ENOTFOUND')
})
