import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@caseway/testing'
import { describe, expect, it } from '@jest/globals'
import { fakeService } from './support/fake-service.js'
import { startTestGateway } from './support/gateway.js'

describe('a copy of a service', () => {
  it('that refuses the connection is replaced by another copy, even if the request is not idempotent', async () => {
    const gone = await fakeService()
    await gone.stop()
    const there = await fakeService()
    // If no copy is ready, each gets some of the requests.
    there.on('/readyz', (_, response) => response.writeHead(503).end())
    const other = await startTestGateway({ env: { AUTH_URL: `${gone.url},${there.url}` } })
    try {
      for (let i = 0; i < 4; i++) expect((await other.expert.delete('/rest/user/1')).status).toBe(200)
      expect(there.seen.map(({ method }) => method)).toEqual(Array(4).fill('DELETE'))
    } finally {
      await Promise.all([there.stop(), other.stop()])
    }
  })

  it('is probed for readiness even while all connections to it are taken', async () => {
    const copy = await fakeService()
    const requests = { held: 0, ready: 0 }
    copy.on('/expert/rest/user/held', () => requests.held++)
    copy.on('/readyz', (_, response) => {
      requests.ready++
      response.end()
    })
    const other = await startTestGateway({
      env: {
        AUTH_URL: `${copy.url},http://127.0.0.1:9`,
        GATEWAY_UPSTREAM_CONNECTIONS: '1',
        GATEWAY_UPSTREAM_TIMEOUT_MS: '20000',
      },
    })
    const holding = [1, 2].map(() => other.expert.get('/rest/user/held'))
    try {
      await eventually(() => expect(requests.held).toBe(1))
      const before = requests.ready
      await eventually(() => expect(requests.ready).toBeGreaterThan(before + 3))
    } finally {
      await copy.stop()
      expect((await Promise.all(holding)).map(({ status }) => status)).toEqual([503, 503])
      await other.stop()
    }
  })

  it('that shares its address with others gets requests too, because old connections are replaced after their requests', async () => {
    const service = await fakeService()
    const [received, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    service.on('/expert/rest/user/slow', async (_, response) => {
      received.resolve()
      await released.promise
      response.end('{}')
    })
    const gateway = async (connectionMs: string) =>
      startTestGateway({ env: { AUTH_URL: service.url, GATEWAY_UPSTREAM_CONNECTION_MS: connectionMs } })
    const connectionsOf = async (other: Awaited<ReturnType<typeof gateway>>) => {
      const before = service.connections
      for (let i = 0; i < 3; i++) {
        expect((await other.expert.get('/rest/user')).status).toBe(200)
        await pause(20)
      }
      return service.connections - before
    }
    const [keeps, replaces] = await Promise.all([gateway('60000'), gateway('5')])
    try {
      const slow = replaces.expert.get('/rest/user/slow')
      await received.promise
      expect([await connectionsOf(keeps), await connectionsOf(replaces)]).toEqual([1, 3])
      released.resolve()
      expect((await slow).status).toBe(200)
    } finally {
      await Promise.all([keeps.stop(), replaces.stop(), service.stop()])
    }
  })

  it('loses none of a thousand concurrent requests while its connections are replaced', async () => {
    const service = await fakeService()
    // The timeouts are long, so that a slow answer on a busy machine does not count as lost.
    const limits = { GATEWAY_REQUESTS_AT_ONCE: '2000', GATEWAY_UPSTREAM_TIMEOUT_MS: '120000', GATEWAY_HEADERS_TIMEOUT_MS: '120000' }
    const env = { AUTH_URL: service.url, GATEWAY_UPSTREAM_CONNECTION_MS: '1', ...limits }
    const other = await startTestGateway({ env })
    try {
      for (let round = 0; round < 3; round++) {
        const answers = await Promise.all(Array.from({ length: 1_000 }, () => other.expert.delete('/rest/user/1')))
        expect(answers.filter(({ status }) => status !== 200)).toEqual([])
      }
      expect(service.seen).toHaveLength(3_000)
      expect(service.connections).toBeGreaterThan(256)
    } finally {
      await Promise.all([other.stop(), service.stop()])
    }
  }, 120_000)
})
