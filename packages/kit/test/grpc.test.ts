import { AppError, conflict, invalid, notFound, unavailable } from '@caseway/kit/errors'
import { createGrpcClient, startGrpcServer, unary } from '@caseway/kit/grpc'
import { createLog, createMetrics, type RequestContext, requestContext } from '@caseway/kit/observability'
import { PeopleServiceClient, PeopleServiceService } from '@caseway/protos/auth/v1/people'
import { eventually } from '@caseway/testing/eventually'
import { ChannelCredentials } from '@grpc/grpc-js'
import { afterEach, describe, expect, it } from '@jest/globals'
import { freePort, type GetUser, startPeople, userOf } from './support/people-server.js'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp()))
})

function connect(address: string, options?: { deadlineMs: number }) {
  const plain = { serverName: 'people', credentials: ChannelCredentials.createInsecure() }
  const client = createGrpcClient(PeopleServiceClient, { address, ...plain, ...options })
  cleanUps.push(() => client.close())
  return client
}
async function setUp(getUser: GetUser, options?: { deadlineMs: number }) {
  const server = await startPeople(getUser, { drainMs: 50 })
  cleanUps.push(() => server.stop())
  return { server, client: connect(server.address, options) }
}
const query = { customerId: 7n, id: 2n ** 53n - 1n }
const never = () => new Promise<never>(() => {})
const found: GetUser = (request) => ({ user: userOf(request) })

describe('a call', () => {
  it('returns the answer, with ids as bigint', async () => {
    const { client } = await setUp(found)
    expect(await client.getUser(query)).toEqual({ user: userOf(query) })
  })

  it.each([notFound(), invalid({ name: 'is required' }), conflict('ISSUE_STATE', 'Not from here.', 2)])(
    'throws the error of the other side: $code',
    async (thrown) => {
      const { client } = await setUp(() => {
        throw thrown
      })
      const { kind, code, message, fields, retryAfterSeconds } = thrown
      await expect(client.getUser(query)).rejects.toMatchObject({ kind, code, message, fields, retryAfterSeconds })
    },
  )

  it('reveals nothing of an internal error, which the server logs', async () => {
    const { client, server } = await setUp(() => {
      throw new TypeError('canary')
    })
    const error = await client.getUser(query).catch((caught: unknown) => caught)
    expect(error).not.toBeInstanceOf(AppError)
    expect(String(error)).not.toContain('canary')
    const method = '/caseway.auth.v1.PeopleService/GetUser'
    expect(server.lines).toMatchObject([{ level: 'error', method, err: { message: 'canary' } }])
  })

  it('passes on the context of the request and its remaining time', async () => {
    let seen: RequestContext | undefined
    let seenAt = 0
    const { client } = await setUp((request) => {
      seen = requestContext.get()
      seenAt = Date.now()
      return found(request)
    })
    const sentAt = Date.now()
    const context = { requestId: 'req-1', traceparent: '00-aa-bb-01', deadline: sentAt + 700 }
    await requestContext.run(context, () => client.getUser(query))
    expect(seen).toMatchObject({ requestId: 'req-1', traceparent: '00-aa-bb-01' })
    expect(seen?.deadline).toBeLessThanOrEqual(context.deadline + (seenAt - sentAt) + 5)
    expect(seen?.deadline).toBeGreaterThan(context.deadline - 200)
  })

  it('has a request id and a deadline outside of a request as well', async () => {
    let seen: RequestContext | undefined
    const { client } = await setUp((request) => {
      seen = requestContext.get()
      return found(request)
    })
    await client.getUser(query)
    expect(seen?.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(seen?.deadline).toBeLessThanOrEqual(Date.now() + 2_005)
    expect(seen?.traceparent).toBeUndefined()
  })

  it('is cancelled at its deadline', async () => {
    const { client } = await setUp(never, { deadlineMs: 60 })
    const startedAt = performance.now()
    await expect(client.getUser(query)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(performance.now() - startedAt).toBeLessThan(1900)
  })

  it('is cancelled when the time of the request is over, and not sent when none is left', async () => {
    let calls = 0
    const { client } = await setUp(() => {
      calls += 1
      return never()
    })
    const within = (ms: number) => requestContext.run({ requestId: 'r', deadline: Date.now() + ms }, () => client.getUser(query))
    await expect(within(1000)).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(within(0)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(calls).toBe(1)
  })

  it('is counted by method and outcome', async () => {
    const { client, server } = await setUp((request) => {
      if (request.id === 1n) throw notFound()
      return found(request)
    })
    await client.getUser(query)
    await client.getUser({ ...query, id: 1n }).catch(() => {})
    const { values } = await server.metrics.grpcServerCalls.get()
    const method = '/caseway.auth.v1.PeopleService/GetUser'
    expect(values.map(({ labels, value }) => [labels, value])).toEqual([
      [{ method, code: 'OK' }, 1],
      [{ method, code: 'NOT_FOUND' }, 1],
    ])
  })
})

describe('a call that can be repeated', () => {
  it('is retried once when the server was unavailable', async () => {
    let calls = 0
    const { client, server } = await setUp((request) => {
      calls += 1
      if (calls === 1) throw unavailable(new Error('the database is away'))
      return found(request)
    })
    expect(await client.getUser(query)).toEqual({ user: userOf(query) })
    expect(calls).toBe(2)
    expect(server.lines).toMatchObject([{ level: 'warn', err: { code: 'UNAVAILABLE', cause: { message: 'the database is away' } } }])
  })

  it('is retried no more than once, and not after another error', async () => {
    let calls = 0
    const { client } = await setUp(({ id }) => {
      calls += 1
      throw id === 1n ? notFound() : unavailable()
    })
    await expect(client.getUser(query)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(calls).toBe(2)
    await expect(client.getUser({ ...query, id: 1n })).rejects.toMatchObject({ kind: 'not-found' })
    expect(calls).toBe(3)
  })
})

describe('a client', () => {
  it('throws `unavailable` at once while no server listens', async () => {
    const client = connect(`127.0.0.1:${await freePort()}`)
    await expect(client.getUser(query)).rejects.toMatchObject({ kind: 'unavailable' })
  })

  it('reconnects within two seconds when the server is back', async () => {
    const first = await startPeople(found)
    const client = connect(first.address)
    await client.getUser(query)
    await first.stop()
    const outageEnds = Date.now() + 6_000
    await eventually(
      async () => {
        await expect(client.getUser(query)).rejects.toMatchObject({ kind: 'unavailable' })
        expect(Date.now()).toBeGreaterThan(outageEnds)
      },
      { timeoutMs: 8_000, everyMs: 100 },
    )
    const again = await startPeople(found, { port: first.port })
    cleanUps.push(() => again.stop())
    await eventually(async () => expect(await client.getUser(query)).toEqual({ user: userOf(query) }), { timeoutMs: 2_000 })
  })

  it('distributes calls over all copies to which its address resolves', async () => {
    const served = [0, 0]
    const copies = await Promise.all(
      served.map((_, index) =>
        startPeople((request) => {
          served[index] = (served[index] ?? 0) + 1
          return found(request)
        }),
      ),
    )
    cleanUps.push(...copies.map((copy) => () => copy.stop()))
    const client = connect(`ipv4:${copies.map(({ address }) => address).join(',')}`)
    await eventually(async () => {
      await client.getUser(query)
      expect(Math.min(...served)).toBeGreaterThan(0)
    })
  })
})

describe('a server', () => {
  it('waits for running calls when it stops, and refuses new ones', async () => {
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const server = await startPeople(async (request) => {
      begun.resolve()
      await gate.promise
      return found(request)
    })
    const running = connect(server.address).getUser(query)
    await begun.promise
    const stopped = server.stop()
    await expect(connect(server.address).getUser(query)).rejects.toMatchObject({ kind: 'unavailable' })
    gate.resolve()
    expect(await running).toEqual({ user: userOf(query) })
    await stopped
  })

  it('cancels calls that have not ended after `drainMs`', async () => {
    const begun = Promise.withResolvers<void>()
    const getUser = () => {
      begun.resolve()
      return never()
    }
    const { client, server } = await setUp(getUser, { deadlineMs: 20_000 })
    const running = client.getUser(query).catch((error: unknown) => error)
    await begun.promise
    const startedAt = performance.now()
    await server.stop()
    expect(await running).toMatchObject({ kind: 'unavailable' })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  it('does not start where its address is in use', async () => {
    const { server } = await setUp(found)
    await expect(startPeople(found, { port: server.port })).rejects.toThrow()
  })

  it('does not start where a method of the contract is not implemented', async () => {
    const half = { getUser: unary(found) }
    const { log, metrics } = { log: createLog({ service: 'test', level: 'silent' }), metrics: createMetrics('test') }
    const services = [[PeopleServiceService, half]] as const
    const started = startGrpcServer({ host: '127.0.0.1', port: 0, services, security: 'plaintext', callers: [], log, metrics })
    await expect(started).rejects.toThrow('/caseway.auth.v1.PeopleService/GetClientLink is not implemented.')
  })
})
