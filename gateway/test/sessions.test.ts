import { randomUUID } from 'node:crypto'
import { eventually, httpClient, type Person } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { fakeSessions } from './support/fake-sessions.js'
import { inAQuarter, type Surrounded, startTestGateway } from './support/gateway.js'

let around: Surrounded
beforeAll(async () => {
  around = await startTestGateway()
})
afterAll(() => around.stop())

const asExpert = ({ token }: Person<unknown>, { anybody }: Surrounded = around) => anybody.as(token)
const invalid = { status: 'error', errorMessages: 'The access token is not valid.', errorCode: 'TOKEN_INVALID' }

describe('the tokens of a session', () => {
  it('are 401 as soon as the event of its end has arrived, also when it is repeated', async () => {
    const { trainee, specialist } = around.tenant
    expect((await asExpert(trainee).get('/rest/tag')).status).toBe(200)
    await around.endSession(trainee.caller.sessionId)
    await around.endSession(trainee.caller.sessionId)
    await eventually(async () => expect((await asExpert(trainee).get('/rest/tag')).body).toEqual(invalid))
    expect((await asExpert(specialist).get('/rest/tag')).status).toBe(200)
  })

  it('stay 401 when an older event comes late', async () => {
    const person = around.tenant.employee('expert')
    await around.endSession(person.caller.sessionId)
    await around.endSession(person.caller.sessionId, new Date(Date.now() - 1000))
    await eventually(async () => expect((await asExpert(person).get('/rest/tag')).status).toBe(401))
    expect((await asExpert(person).get('/rest/tag')).status).toBe(401)
  })

  it('are 401 at once after their owner has signed out', async () => {
    const person = around.tenant.employee('expert')
    const twin = around.issuer.tokenFor(person.caller)
    expect((await asExpert(person).delete('/rest/token')).status).toBe(200)
    expect((await asExpert(person).get('/rest/tag')).body).toEqual(invalid)
    expect((await around.anybody.as(twin).get('/rest/tag')).status).toBe(401)
  })

  it('stay valid when signing out failed', async () => {
    around.auth.on('/client/rest/token', (_, response) => response.writeHead(503).end())
    expect((await around.client.delete('/rest/token')).status).toBe(503)
    expect((await around.client.get('/rest/issue')).status).toBe(200)
  })
})

describe('a sign-out', () => {
  it('is remembered for the lifetime of its token, counted from then on, and no longer', async () => {
    const { caller } = around.tenant.employee('expert')
    const short = around.issuer.tokenFor({ ...caller, expiresInSeconds: 3 })
    const longer = around.anybody.as(around.issuer.tokenFor(caller))
    expect((await around.anybody.as(short).delete('/rest/token')).status).toBe(200)
    expect((await longer.get('/rest/tag')).status).toBe(401)
    // Auth issues all tokens with the same lifetime; the longer one here shows when the session is forgotten.
    await eventually(async () => expect((await longer.get('/rest/tag')).status).toBe(200), { timeoutMs: 10_000 })
  })
})

describe('while the broker is down', () => {
  it('ended sessions are requested from auth repeatedly', async () => {
    const broker = { away: true }
    const other = await startTestGateway({ receiving: () => !broker.away })
    try {
      const { expert, trainee } = other.tenant
      expect((await asExpert(expert, other).get('/rest/tag')).status).toBe(200)
      other.sessions.ended.push({ sessionId: expert.caller.sessionId, endsAt: inAQuarter() })
      await eventually(async () => expect((await asExpert(expert, other).get('/rest/tag')).status).toBe(401), { timeoutMs: 15_000 })
      other.sessions.ended.push({ sessionId: trainee.caller.sessionId, endsAt: inAQuarter() })
      broker.away = false
      await eventually(async () => expect((await asExpert(trainee, other).get('/rest/tag')).status).toBe(401), { timeoutMs: 15_000 })
    } finally {
      await other.stop()
    }
  })
})

describe('sessions that ended before the gateway started', () => {
  it('are read from auth, page by page', async () => {
    const sessionIds = Array.from({ length: 5 }, () => randomUUID()).sort()
    const sessions = await fakeSessions({ pageSize: 2 })
    sessions.ended.push(...sessionIds.map((sessionId) => ({ sessionId, endsAt: inAQuarter() })))
    const other = await startTestGateway({ env: { AUTH_GRPC_ADDRESS: sessions.address } })
    try {
      for (const sessionId of sessionIds) {
        const token = other.issuer.tokenFor({ ...other.tenant.expert.caller, sessionId })
        await eventually(async () => expect((await other.anybody.as(token).get('/rest/tag')).status).toBe(401))
      }
      expect(sessions.cursors).toEqual(['', sessionIds[1], sessionIds[3], sessionIds[4]])
      expect((await other.expert.get('/rest/tag')).status).toBe(200)
    } finally {
      await Promise.all([other.stop(), sessions.stop()])
    }
  })

  it('are requested until auth answers; until then the gateway serves requests, and is not ready', async () => {
    const before = await fakeSessions()
    await before.stop()
    const other = await startTestGateway({ env: { AUTH_GRPC_ADDRESS: before.address } })
    await eventually(() => expect(other.lines.join('')).toContain('the ended sessions could not be fetched'))
    expect((await other.expert.get('/rest/tag')).status).toBe(200)
    for (const url of [other.gateway.expertUrl, other.gateway.clientUrl]) {
      const { status, headers, body } = await httpClient(url).get('/readyz')
      expect([status, headers.get('retry-after'), body]).toEqual([503, '1', expect.objectContaining({ errorCode: 'UNAVAILABLE' })])
      expect((await httpClient(url).get('/healthz')).status).toBe(200)
    }
    const sessions = await fakeSessions({ port: Number(before.address.split(':')[1]) })
    sessions.ended.push({ sessionId: other.tenant.expert.caller.sessionId, endsAt: inAQuarter() })
    await eventually(async () => expect((await other.expert.get('/rest/tag')).status).toBe(401), { timeoutMs: 15_000 })
    await eventually(async () => expect((await other.anybody.get('/readyz')).status).toBe(200))
    await Promise.all([other.stop(), sessions.stop()])
  })

  it('do not delay a stop', async () => {
    const other = await startTestGateway({ env: { AUTH_GRPC_ADDRESS: '127.0.0.1:9' } })
    const startedAt = Date.now()
    await other.stop()
    expect(Date.now() - startedAt).toBeLessThan(10_000)
  })
})
