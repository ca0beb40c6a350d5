import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import type { LookupAll } from '../src/forwarding/lookup.js'
import { createUpstream, type Upstream } from '../src/forwarding/upstream.client.js'

/** The addresses of a copy that listens, and of one that is still starting. */
const [listening, starting] = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))

let received = 0
const server = createServer((_request, response) => {
  received++
  response.end()
})
let upstream: Upstream
let busyMs = 0
let lookups = 0

/** Blocks the event loop as soon as it connects to the first address, so that timers fire before network events are handled. */
const busyLookup: LookupAll = (_name, _options, callback) => {
  lookups++
  setImmediate(() => {
    callback(null, [listening, starting] as never)
    const endsAt = Date.now() + busyMs
    busyMs = 0
    while (Date.now() < endsAt);
  })
}

/** Installs the AggregateError of Node, for which undici tests, because Jest's environment has its own. */
async function takeAggregateErrorOfNode(): Promise<void> {
  const socket = connect({
    host: 'copies.test',
    port: 1,
    lookup: (_name, _options, callback) => callback(null, [starting, starting] as never),
  })
  const [error] = await once(socket, 'error').catch((thrown) => [thrown])
  globalThis.AggregateError = error.constructor
}

beforeAll(async () => {
  server.listen(0, listening?.address)
  await once(server, 'listening')
  await takeAggregateErrorOfNode()
})
beforeEach(() => {
  received = lookups = 0
  // A new upstream for each test, so that it connects to the first address first.
  const url = `http://copies.test:${(server.address() as AddressInfo).port}`
  upstream = createUpstream([url], { timeoutMs: 20_000, pauseMs: 20_000, connectionMs: 10_000, lookupAll: busyLookup })
})
afterEach(() => upstream.close())
afterAll(() => void server.close())

const post = () =>
  new Promise<number | undefined>((resolve, reject) => {
    const options = { origin: upstream.url, path: '/', method: 'POST', body: 'once' } as const
    upstream.request(options, (error, answer) => (error ? reject(error) : resolve(answer?.statusCode)))
  })

it('uses a copy that listens although the process was busy for half a second while it connected', async () => {
  busyMs = 500
  expect(await post()).toBe(200)
  expect([lookups, received]).toEqual([1, 1])
})

it('connects again where no connection was established, and sends a POST once', async () => {
  busyMs = 1_500
  expect(await post()).toBe(200)
  expect([lookups, received]).toEqual([2, 1])
})
