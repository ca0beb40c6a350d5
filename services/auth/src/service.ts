import type { AddressInfo } from 'node:net'
import { grpcSecurity } from '@caseway/kit/config'
import { idempotencyStore } from '@caseway/kit/database'
import { type EventTransport, startConsumers, startRelay } from '@caseway/kit/events'
import { startGrpcServer } from '@caseway/kit/grpc'
import { createHttpApp } from '@caseway/kit/http'
import { startJobs } from '@caseway/kit/jobs'
import { lifecycle } from '@caseway/kit/lifecycle'
import { createLog, createMetrics, type Logger, type Metrics } from '@caseway/kit/observability'
import { purge } from '@caseway/kit/purge'
import { createTokenVerifier } from '@caseway/kit/tokens'
import type { Administration } from './administration/administration.service.js'
import { assemble } from './assembly.js'
import type { AuthConfig } from './config.js'
import { keyRotation } from './keys/key-rotation.job.js'
import { auditRetention, retention } from './retention.js'

const name = 'auth'

/** The services that may ask over gRPC, by the names in their certificates; `caseway` is the command line. */
const callers = ['gateway', 'cases-and-counters', 'caseway']

export interface Parts {
  transport: EventTransport
  log?: Logger
  metrics?: Metrics
}

export interface RunningAuth {
  readonly httpUrl: string
  /** Where gRPC answers, as `host:port`. */
  readonly grpcAddress: string
  readonly administration: Administration
  stop(): Promise<void>
}

/** Starts the service; it takes requests when the promise resolves. */
export async function startAuth(config: AuthConfig, parts: Parts): Promise<RunningAuth> {
  const { transport, log = createLog({ service: name, level: config.logLevel }), metrics = createMetrics(name) } = parts
  const life = lifecycle({ log, readinessDelayMs: config.readinessDelayMs })
  const assembled = await assemble(config, { log, metrics })
  const { db, limits, routes, grpc: services, consumers, onRefused, hasRight, ring, customers, administration } = assembled
  const http = createHttpApp({
    name,
    log,
    metrics,
    verifier: createTokenVerifier({ keys: ring.keySet, issuer: config.tokenIssuer }),
    urls: { expert: config.expertUrl, client: config.clientUrl },
    timeZones: { of: customers.timeZoneOf, fallback: config.defaultTimeZone },
    idempotency: idempotencyStore(db),
    onRefused,
    hasRight,
    routes,
    ready: life.ready,
    alive: transport.healthy,
  })

  life.add({ name: 'database', start: () => db.warmUp(), stop: () => db.close() })
  life.add({ name: 'limits', stop: () => limits.close() })
  life.add({ name: 'signing keys', start: () => ring.start(), stop: () => ring.stop() })
  life.add({ name: 'http', start: () => http.listen({ host: config.httpHost, port: config.httpPort }), stop: () => http.close() })
  const { grpcHost: host, grpcPort } = config
  const security = grpcSecurity(config)
  const grpc = life.running('grpc', () => startGrpcServer({ host, port: grpcPort, services, security, callers, log, metrics }))
  life.running('consumers', () => startConsumers({ transport, group: name, consumers, db, log, metrics }))
  life.running('relay', () => startRelay({ db, transport, log, metrics }))
  const purges = { db, log, metrics }
  const jobs = [
    keyRotation(ring),
    purge({ ...purges, rules: retention(config.accessTokenSeconds * 1000) }),
    purge({ ...purges, rules: auditRetention, name: 'audit-retention', when: { cron: '15 3 * * *', zone: config.defaultTimeZone } }),
  ]
  life.running('jobs', () => startJobs({ db, handlers: jobs, log, metrics }))
  await life.start()

  const { port } = http.server.address() as AddressInfo
  return { httpUrl: `http://127.0.0.1:${port}`, grpcAddress: `127.0.0.1:${grpc().port}`, administration, stop: life.stop }
}
