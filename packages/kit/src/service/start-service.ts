import type { AddressInfo } from 'node:net'
import { publishRefusals } from '../audit/index.js'
import { grpcSecurity, type Variables } from '../config/index.js'
import { type ClientClass, type Database, idempotencyStore, type PrismaClientLike, requireSecret } from '../database/index.js'
import { createCopies, type EventTransport, startConsumers, startRelay } from '../events/index.js'
import { startGrpcServer } from '../grpc/index.js'
import { createHttpApp } from '../http/index.js'
import { startJobs } from '../jobs/index.js'
import { type Lifecycle, lifecycle } from '../lifecycle/index.js'
import type { Logger, Metrics } from '../observability/index.js'
import { officeErasure } from '../office-data/index.js'
import { kitTables, purge } from '../purge/index.js'
import { endedSessions, type FollowedSessions } from '../sessions/index.js'
import type { Tables } from '../tables/index.js'
import { createTokenVerifier, KeySet } from '../tokens/index.js'
import { openService, peerOf } from './open-service.js'
import type { OwnValues, ServiceValues } from './service-config.js'
import type { ServiceDefinition } from './service-definition.js'
import { addStreams } from './streams.js'
import { consumersOf, type Streams, type Wired } from './wired.js'

export interface RunningService<Administration> {
  readonly httpUrl: string
  /** The address of gRPC as `host:port`; empty for a service without it. */
  readonly grpcAddress: string
  readonly administration: Administration
  stop(): Promise<void>
}

interface Environment {
  readonly transport: EventTransport
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * Starts a service part by part, and stops it in reverse order. Parts that requests need start before HTTP, consumers before the relay, and copies after their
 * consumers, so that no event is lost between the snapshot and the subscription.
 */
export async function startService<Own extends Variables, Client extends ClientClass<PrismaClientLike>, Administration>(
  definition: ServiceDefinition<Own, Client, Administration>,
  config: ServiceValues & OwnValues<Own>,
  { transport, log, metrics }: Environment,
): Promise<RunningService<Administration>> {
  const { name, tables } = definition
  const life = lifecycle({ log, readinessDelayMs: config.readinessDelayMs })
  let streams: Streams | undefined
  let following: (() => FollowedSessions) | undefined
  const ended = endedSessions({ onEnd: (sessionId) => streams?.endSession(sessionId) })
  const sessions = { has: ended.has, known: () => following?.().known() ?? false }
  const { db, wired, opened } = await openService(definition, config, { log, metrics, sessions })
  const parts: Parts = { name, config, tables, db, wired, transport, log, metrics }
  streams = wired.streams
  const keys = wired.keys ?? KeySet.fromJwks(config.jwksUrl ?? [], { log })
  const http = createHttp(parts, keys, life.ready)
  // Closing the server waits for all answers, so streams must be ended.
  http.addHook('preClose', async () => streams?.stop())

  for (const part of opened) life.add(part)
  life.add({ name: 'keys of tokens', stop: () => keys.stop() })
  life.add({ name: 'secret', start: () => requireSecret(db, wired.sealed ?? []), stop: () => undefined })
  for (const part of wired.parts ?? []) life.add(part)
  if (streams) following = addStreams(life, { name, streams, ended, auth: peerOf(config, 'auth', log), transport, metrics })
  life.add({ name: 'http', start: () => http.listen({ host: config.httpHost, port: config.httpPort }), stop: () => http.close() })
  const grpc = wired.grpc && life.running('grpc', () => startGrpc(parts, wired.grpc))
  addBackground(life, parts)
  await life.start()

  const { port } = http.server.address() as AddressInfo
  const grpcAddress = grpc ? `127.0.0.1:${grpc().port}` : ''
  return { httpUrl: `http://127.0.0.1:${port}`, grpcAddress, administration: wired.administration, stop: life.stop }
}

/** The values from which the parts of a service are created. */
interface Parts extends Environment {
  readonly name: string
  readonly config: ServiceValues
  readonly tables: Tables
  readonly db: Database<unknown>
  readonly wired: Wired<unknown>
}

const createHttp = ({ name, config, db, wired, transport, log, metrics }: Parts, keys: KeySet, ready: () => boolean) =>
  createHttpApp({
    name,
    log,
    metrics,
    verifier: createTokenVerifier({ keys, issuer: config.tokenIssuer ?? '' }),
    urls: { expert: config.expertUrl, client: config.clientUrl },
    timeZones: { of: wired.timeZoneOf, fallback: config.defaultTimeZone },
    idempotency: idempotencyStore(db),
    onRefused: wired.onRefused ?? publishRefusals(db),
    hasRight: wired.hasRight,
    routes: wired.routes,
    webhooks: wired.webhooks,
    ready,
    alive: transport.healthy,
  })

function startGrpc({ name, config, log, metrics }: Parts, served: Wired<unknown>['grpc']) {
  const { grpcHost: host, grpcPort: port } = config
  if (!served || host === undefined || port === undefined) throw new Error(`${name} serves gRPC, but does not declare grpcVariables.`)
  return startGrpcServer({ ...served, host, port, security: grpcSecurity(config), log, metrics })
}

/** Adds the background work: events, jobs and copies. */
function addBackground(life: Lifecycle, { name, db, tables, wired, transport, log, metrics }: Parts): void {
  const { retention = [], jobs = [] } = wired
  const consumers = consumersOf(wired)
  const copies = createCopies({ db, copies: wired.copies ?? [], log })
  const onGap = copies.refill
  life.running('consumers', () => startConsumers({ transport, group: name, consumers, db, log, metrics, onGap }))
  life.running('relay', () => startRelay({ db, transport, log, metrics }))
  const upkeep = [purge({ db, rules: [...kitTables, ...retention], log, metrics }), officeErasure({ db, tables, log })]
  const handlers = [...upkeep, ...jobs]
  life.running('jobs', () => startJobs({ db, handlers, log, metrics }))
  // Copies are filled in the background. Until that is done, a record that a copy lacks is fetched from its owner.
  life.add({ name: 'copies', start: copies.fill, stop: copies.stop })
}
