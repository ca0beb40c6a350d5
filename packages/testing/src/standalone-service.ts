import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDirectTransport, type DirectTransport, type EventTransport, type Topic } from '@caseway/kit/events'
import { createLog, createMetrics, type Metrics } from '@caseway/kit/observability'
import type { RunningService, Service } from '@caseway/kit/service'
import { services, variableOf } from '@caseway/registry'
import { clientUrl, expertUrl } from './addresses.js'
import { type TestDatabase, testDatabase } from './database.js'
import { type HttpClient, httpClient } from './http-client.js'
import { defaultIssuer } from './issuer.js'
import { keepOutboxHistory, type PublishedEvent, publishedEvents } from './outbox-history.js'
import { publishEvents } from './publish.js'

export interface StandaloneOptions {
  /** Variables that override those of the test. */
  readonly variables?: Readonly<Record<string, string>>
  /** Wraps the transport of the service, to observe or change what passes. */
  readonly through?: (transport: DirectTransport) => EventTransport
}

/** A service with a database of its own, in-process events, and no other services. */
export interface StandaloneService<Administration = unknown> {
  readonly service: RunningService<Administration>
  readonly database: TestDatabase
  readonly transport: DirectTransport
  readonly metrics: Metrics
  http(address: 'expert' | 'client', token?: string): HttpClient
  /** A caller of the public paths, beside `/rest` on the client address. */
  readonly visitor: HttpClient
  /** The value of a metric without labels; NaN if it does not exist. */
  figure(metric: string): Promise<number>
  /** Publishes events as their owner does. Resolves when the consumers have handled them. */
  publish<T>(topic: Topic<T>, ...events: T[]): Promise<void>
  /** All events of the topic that the service has written to its outbox. */
  published<T>(topic: Topic<T>): Promise<PublishedEvent<T>[]>
  /** Starts another copy of the service on the same database. `stop` stops it as well. */
  copy(variables?: Readonly<Record<string, string>>, metrics?: Metrics): Promise<RunningService<Administration>>
  stop(): Promise<void>
}

/** Starts a service for one test file. */
export async function standaloneService<Administration>(
  definition: Service<Administration>,
  { variables = {}, through = (transport) => transport }: StandaloneOptions = {},
): Promise<StandaloneService<Administration>> {
  const { name } = definition
  const database = await testDatabase({ name })
  await database.rows(keepOutboxHistory)
  const transport = createDirectTransport()
  const log = createLog({ service: name, level: 'silent' })
  const folder = await mkdtemp(join(tmpdir(), `caseway-${name}-`))
  const env = { ...variablesOf(name, database), ...folderOf(name, folder), ...variables }
  const copies: RunningService<Administration>[] = []
  const copy = async (others: Readonly<Record<string, string>> = {}, metrics = createMetrics(name)) => {
    const started = await definition.start({ ...env, ...others }, { transport: through(transport), log, metrics })
    copies.push(started)
    return started
  }
  const metrics = createMetrics(name)
  const service = await copy({}, metrics)

  return {
    ...{ service, database, transport, metrics, copy },
    http: (address, token) => httpClient(`${service.httpUrl}/${address}/rest`, token),
    visitor: httpClient(`${service.httpUrl}/client`),
    figure: async (metric) => (await metrics.registry.getSingleMetric(metric)?.get())?.values[0]?.value ?? Number.NaN,
    publish: (topic, ...events) => publishEvents(transport, topic, events),
    published: (topic) => publishedEvents(database, topic),
    async stop() {
      for (const running of copies) await running.stop()
      await transport.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const variablesOf = (name: string, database: TestDatabase) => ({
  [variableOf(name, 'DATABASE_URL')]: database.url,
  [variableOf(name, 'HTTP_HOST')]: '127.0.0.1',
  [variableOf(name, 'HTTP_PORT')]: '0',
  [variableOf(name, 'GRPC_HOST')]: '127.0.0.1',
  [variableOf(name, 'GRPC_PORT')]: '0',
  [variableOf(name, 'READINESS_DELAY_MS')]: '0',
  ...patience(name),
  EXPERT_URL: expertUrl,
  CLIENT_URL: clientUrl,
  TOKEN_ISSUER: defaultIssuer,
  GRPC_INSECURE: 'true',
  ...secretsOf(name),
})

/** Timeouts of the database that are longer than a test holds a lock on a busy machine. */
const patience = (name: string) =>
  Object.fromEntries(
    ['POOL_CONNECT_TIMEOUT_MS', 'POOL_LOCK_TIMEOUT_MS', 'POOL_STATEMENT_TIMEOUT_MS', 'POOL_IDLE_IN_TRANSACTION_TIMEOUT_MS'].map(
      (variable) => [variableOf(name, variable), '20000'],
    ),
  )

/** The variable of the data folder, for a service that has one. */
const folderOf = (name: string, folder: string) =>
  services.find((service) => service.name === name)?.keepsFolder ? { [variableOf(name, 'FOLDER')]: folder } : {}

/** A random value for each secret of the registry. */
const secretsOf = (name: string) => {
  const secrets = services.find((service) => service.name === name)?.secrets ?? []
  return Object.fromEntries(secrets.map((secret) => [variableOf(name, secret), randomBytes(32).toString('base64')]))
}
