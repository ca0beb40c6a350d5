import type { Id } from '@caseway/kit/caller'
import { createDirectTransport, type DirectTransport, type EventTransport, type Topic } from '@caseway/kit/events'
import { createLog, createMetrics, type Metrics } from '@caseway/kit/observability'
import { customerTopic } from '@caseway/protos/topics'
import {
  type EventStream,
  eventStream,
  type HttpClient,
  httpClient,
  keepOutboxHistory,
  type Person,
  type TestDatabase,
  type TestIssuer,
  type TestTenant,
  testClient,
  testDatabase,
  testIssuer,
  testTenant,
} from '@caseway/testing'
import { customer, type FakeAuth, fakeAuth, link, user } from '@caseway/testing/fake-auth'
import { publishEvents } from '@caseway/testing/publish'
import { casesAndCounters } from '../../src/wiring.js'

export type RunningCases = Awaited<ReturnType<typeof casesAndCounters.start>>

export const expertUrl = 'https://expert.example.test'
export const clientUrl = 'https://client.example.test'

/** The running service, and what it lives among. */
export interface Cases {
  service: RunningCases
  metrics: Metrics
  database: TestDatabase
  issuer: TestIssuer
  auth: FakeAuth
  transport: DirectTransport
  /** An office whose people auth knows. */
  office(): TestTenant
  /** An office on whose clocks times are shown. */
  officeIn(timeZone: string): Promise<TestTenant>
  /** A client who is linked to these offices. */
  client(...offices: TestTenant[]): ReturnType<typeof testClient>
  asExpert(person: Person<unknown>): HttpClient
  asClient(person: Person<unknown>): HttpClient
  stream(person: Person<unknown>, address: 'expert' | 'client', options?: { lastEventId?: string; query?: string }): Promise<EventStream>
  /** Repairs the counters of an office; by how much they were wrong, in all. */
  recount(customerId: Id): Promise<number>
  publish<T>(topic: Topic<T>, ...events: T[]): Promise<void>
  /** One more copy of the service, for the test to stop. */
  copy(variables: Record<string, string>, metrics: Metrics): Promise<RunningCases>
  stop(): Promise<void>
}

const migrations = new URL('../../prisma/migrations', import.meta.url)

interface Preparation {
  /** What auth knows before the service starts. */
  prepare?: (auth: FakeAuth, transport: DirectTransport) => void
  /** Of the configuration, where a test needs others. */
  variables?: Record<string, string>
  /** What the service gets of the transport, where a test looks in between. */
  through?: (transport: DirectTransport) => EventTransport
}

export async function startCases({ prepare = () => undefined, variables = {}, through = (it) => it }: Preparation = {}): Promise<Cases> {
  const [database, issuer, auth] = await Promise.all([testDatabase({ name: 'cases-and-counters', migrations }), testIssuer(), fakeAuth()])
  await database.rows(keepOutboxHistory)
  const transport = createDirectTransport()
  prepare(auth, transport)
  const own = {
    CASES_AND_COUNTERS_DATABASE_URL: database.url,
    CASES_AND_COUNTERS_HTTP_HOST: '127.0.0.1',
    CASES_AND_COUNTERS_HTTP_PORT: '0',
    CASES_AND_COUNTERS_READINESS_DELAY_MS: '0',
    EXPERT_URL: expertUrl,
    CLIENT_URL: clientUrl,
    TOKEN_ISSUER: issuer.issuer,
    JWKS_URL: issuer.jwksUrl,
    AUTH_GRPC_ADDRESS: auth.address,
    GRPC_INSECURE: 'true',
    ...variables,
  }
  const log = createLog({ service: 'cases-and-counters', level: 'silent' })
  const copy = (others: Record<string, string>, metrics: Metrics) =>
    casesAndCounters.start({ ...own, ...others }, { transport: through(transport), log, metrics })
  const metrics = createMetrics('cases-and-counters')
  const service = await copy({}, metrics)
  const client = (address: 'expert' | 'client', { token }: Person<unknown>) => httpClient(`${service.httpUrl}/${address}/rest`, token)

  const office = () => {
    const tenant = testTenant(issuer)
    const { customerId } = tenant
    const people = [tenant.administrator, tenant.expert, tenant.specialist, tenant.trainee]
    auth.users.push(...people.map(({ userId: id }) => user({ id, customerId })))
    return tenant
  }
  const publish = <T>(topic: Topic<T>, ...events: T[]) => publishEvents(transport, topic, events)

  return {
    service,
    metrics,
    database,
    issuer,
    auth,
    transport,
    office,
    async officeIn(timeZone) {
      const tenant = office()
      await publish(customerTopic, customer({ id: tenant.customerId, timeZone }))
      return tenant
    },
    client(...offices) {
      const person = testClient(issuer)
      auth.links.push(...offices.map(({ customerId }) => link({ customerId, clientId: person.userId })))
      return person
    },
    asExpert: (person) => client('expert', person),
    asClient: (person) => client('client', person),
    stream: ({ token }, address, { query = '', ...options } = {}) =>
      eventStream(`${service.httpUrl}/${address}/rest/event/stream${query}`, token, options),
    async recount(customerId) {
      const missing = await service.administration.counters.recount(customerId, { repair: true })
      return missing.reduce((sum, { value }) => sum + Math.abs(value), 0)
    },
    publish,
    copy,
    async stop() {
      await service.stop()
      await transport.stop()
      await Promise.all([auth.stop(), issuer.stop()])
      await database.drop()
    },
  }
}

/** Opens a case and gives its id, as it is written in paths. */
export async function openIssue(http: HttpClient, fields: Record<string, unknown> = {}): Promise<number> {
  const { body } = await http.post<{ id: number }>('/issue', { Issue: { subject: 'A question', ...fields } })
  return body.id
}
