import { createDirectTransport } from '@caseway/kit/events'
import { createLog, createMetrics, type Metrics } from '@caseway/kit/observability'
import { SessionEvent } from '@caseway/protos/auth/v1/events'
import { sessionTopic } from '@caseway/protos/topics'
import { registry, serviceNames, urlVariable } from '@caseway/registry'
import {
  eventually,
  type HttpClient,
  httpClient,
  type TestIssuer,
  type TestTenant,
  testClient,
  testIssuer,
  testTenant,
} from '@caseway/testing'
import { publishEvents } from '@caseway/testing/publish'
import { expect } from '@jest/globals'
import { config } from '../../src/config.js'
import { type RunningGateway, startGateway } from '../../src/service.js'
import { type FakeService, fakeService } from './fake-service.js'
import { type FakeSessions, fakeSessions } from './fake-sessions.js'

export const publicUrls = { expert: 'https://expert.example.test', client: 'https://client.example.test' }

/** A running gateway and the fakes around it. */
export interface Surrounded {
  gateway: RunningGateway
  metrics: Metrics
  issuer: TestIssuer
  auth: FakeService
  cases: FakeService
  /** Takes the place of every other service of the registry. */
  others: FakeService
  sessions: FakeSessions
  tenant: TestTenant
  /** Lines of the log, as they were written. */
  lines: string[]
  /** The address for employees, with the token of an expert, and without a token. */
  expert: HttpClient
  anybody: HttpClient
  /** The address for clients, with the token of a client. */
  client: HttpClient
  endSession(sessionId: string, endsAt?: Date): Promise<void>
  stop(): Promise<void>
}

interface Options {
  env?: Record<string, string>
  /** Whether events arrive from the broker. Default: they do. */
  receiving?: () => boolean
  /** Called before the gateway starts. */
  prepare?: (parts: Pick<Surrounded, 'auth' | 'cases' | 'others' | 'sessions'>) => unknown
}

/** The document of a service without routes. */
const nothing = { openapi: '3.1.0', info: { title: 'nothing', version: '1' }, paths: {} }

export const inAQuarter = () => new Date(Date.now() + 900_000)

export async function startTestGateway({ env = {}, receiving = () => true, prepare = () => undefined }: Options = {}): Promise<Surrounded> {
  const [issuer, auth, cases, others, sessions] = await Promise.all([
    testIssuer(),
    fakeService(),
    fakeService(),
    fakeService(),
    fakeSessions(),
  ])
  for (const audience of ['expert', 'client'])
    others.on(`/${audience}/openapi.json`, (_, response) => response.end(JSON.stringify(nothing)))
  await prepare({ auth, cases, others, sessions })
  const transport = { ...createDirectTransport(), receiving }
  const lines: string[] = []
  const log = createLog({ service: 'gateway', level: 'debug', destination: { write: (line) => void lines.push(line) } })
  const metrics = createMetrics('gateway')
  const values = config.read({
    GATEWAY_HTTP_HOST: '127.0.0.1',
    GATEWAY_HTTP_PORT: '0',
    GATEWAY_CLIENT_HTTP_PORT: '0',
    GATEWAY_READINESS_DELAY_MS: '0',
    GATEWAY_UPSTREAM_TIMEOUT_MS: '500',
    EXPERT_URL: publicUrls.expert,
    CLIENT_URL: publicUrls.client,
    TOKEN_ISSUER: issuer.issuer,
    JWKS_URL: issuer.jwksUrl,
    AUTH_GRPC_ADDRESS: sessions.address,
    GRPC_INSECURE: 'true',
    ...Object.fromEntries(serviceNames.map((name) => [urlVariable(name), others.url])),
    [urlVariable(registry.auth.name)]: auth.url,
    [urlVariable(registry.casesAndCounters.name)]: cases.url,
    ...env,
  })
  const stopNeighbours = async () => {
    await transport.stop()
    await Promise.all([auth.stop(), cases.stop(), others.stop(), sessions.stop(), issuer.stop()])
  }
  const gateway = await startGateway(values, { transport, log, metrics }).catch(async (error: unknown) => {
    await stopNeighbours()
    throw error
  })
  // A test with an `AUTH_GRPC_ADDRESS` of its own may have no auth, so do not wait for readiness.
  if (!env.AUTH_GRPC_ADDRESS) {
    await eventually(async () => expect((await httpClient(gateway.expertUrl).get('/readyz')).status).toBe(200))
  }
  const tenant = testTenant(issuer)

  return {
    ...{ gateway, metrics, issuer, auth, cases, others, sessions, tenant, lines },
    expert: httpClient(gateway.expertUrl, tenant.expert.token),
    anybody: httpClient(gateway.expertUrl),
    client: httpClient(gateway.clientUrl, testClient(issuer).token),
    async endSession(sessionId, endsAt = inAQuarter()) {
      const event = SessionEvent.fromPartial({ sessionId, change: { $case: 'ended', value: { endsAt } } })
      await publishEvents(transport, sessionTopic, [event])
    },
    async stop() {
      await gateway.stop()
      await stopNeighbours()
    },
  }
}
