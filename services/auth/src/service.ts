import type { AddressInfo } from 'node:net'
import { poolSettings } from '@caseway/kit/config'
import { createDatabase, idempotencyStore } from '@caseway/kit/database'
import { type EventTransport, startRelay } from '@caseway/kit/events'
import { startGrpcServer } from '@caseway/kit/grpc'
import { createHttpApp } from '@caseway/kit/http'
import { lifecycle } from '@caseway/kit/lifecycle'
import { createLog, createMetrics, type Logger, type Metrics } from '@caseway/kit/observability'
import { createTokenVerifier } from '@caseway/kit/tokens'
import type { Administration } from './administration/administration.service.js'
import type { AuthConfig } from './config.js'
import { PrismaClient } from './generated/client.js'
import { createSecrets } from './keys/secrets.js'
import { argon2PasswordHasher } from './passwords/argon2-password-hasher.client.js'
import { postgresLoginFailures } from './passwords/postgres-login-failures.client.js'
import { purgeSessions } from './sessions/session-purge.js'
import { wire } from './wiring.js'

const name = 'auth'
const dayMs = 86_400_000

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
  const db = createDatabase({ url: config.databaseUrl, client: PrismaClient, pool: poolSettings(config), log, metrics })
  const failures = postgresLoginFailures(config.databaseUrl, log)
  const settings = {
    issuer: config.tokenIssuer,
    accessTokenMs: config.accessTokenSeconds * 1000,
    refreshTokenMs: config.refreshTokenDays * dayMs,
    rotationMs: config.keyRotationDays * dayMs,
    defaultTimeZone: config.defaultTimeZone,
  }
  const hasher = await argon2PasswordHasher(config.passwordConcurrency)
  const wired = wire({ db, secrets: createSecrets(config.secret), hasher, failures, settings, log })
  const { routes, grpc: services, ring, customers, sessions, administration } = wired
  const http = createHttpApp({
    name,
    log,
    metrics,
    verifier: createTokenVerifier({ keys: ring.keySet, issuer: config.tokenIssuer }),
    urls: { expert: config.expertUrl, client: config.clientUrl },
    timeZones: { of: customers.timeZoneOf, fallback: config.defaultTimeZone },
    idempotency: idempotencyStore(db),
    routes,
    ready: life.ready,
    alive: transport.healthy,
  })

  life.add({ name: 'database', stop: () => db.close() })
  life.add({ name: 'login limits', stop: () => failures.close() })
  life.add({ name: 'signing keys', start: () => ring.start(), stop: () => ring.stop() })
  life.add({ name: 'http', start: () => http.listen({ host: config.httpHost, port: config.httpPort }), stop: () => http.close() })
  const { grpcHost: host, grpcPort } = config
  const grpc = life.running('grpc', () => startGrpcServer({ host, port: grpcPort, services, log, metrics }))
  life.running('relay', () => startRelay({ db, transport, log, metrics }))
  life.running('purge of sessions', () => purgeSessions(sessions, log))
  await life.start()

  const { port } = http.server.address() as AddressInfo
  return { httpUrl: `http://127.0.0.1:${port}`, grpcAddress: `127.0.0.1:${grpc().port}`, administration, stop: life.stop }
}
