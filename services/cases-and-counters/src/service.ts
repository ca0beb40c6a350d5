import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { publishRefusals } from '@caseway/kit/audit'
import type { Id } from '@caseway/kit/caller'
import { grpcSecurity } from '@caseway/kit/config'
import { idempotencyStore } from '@caseway/kit/database'
import { createCopies, type EventTransport, startConsumers, startRelay } from '@caseway/kit/events'
import { createHttpApp } from '@caseway/kit/http'
import { startJobs } from '@caseway/kit/jobs'
import { lifecycle } from '@caseway/kit/lifecycle'
import { createLog, createMetrics, type Logger, type Metrics } from '@caseway/kit/observability'
import { purge } from '@caseway/kit/purge'
import { authSessions, type FollowedSessions, type FollowOptions, followEndedSessions } from '@caseway/kit/sessions'
import { createTokenVerifier, KeySet } from '@caseway/kit/tokens'
import { assemble } from './assembly.js'
import type { CasesAndCountersConfig } from './config.js'
import { counterCheck } from './counters/counter-check.job.js'
import { retention } from './retention.js'

const name = 'cases-and-counters'

/** How long a start waits for auth's list of ended sessions. Then the service serves, but for the live streams. */
const timeoutMs = 3_000

export interface Parts {
  transport: EventTransport
  log?: Logger
  metrics?: Metrics
}

export interface RunningCases {
  readonly httpUrl: string
  /** Repairs the counters of an office; by how much they were wrong, in all. */
  recount(customerId: Id): Promise<number>
  stop(): Promise<void>
}

/** Starts the service; it takes requests when the promise resolves. */
export async function startCasesAndCounters(config: CasesAndCountersConfig, parts: Parts): Promise<RunningCases> {
  const { transport, log = createLog({ service: name, level: config.logLevel }), metrics = createMetrics(name) } = parts
  const life = lifecycle({ log, readinessDelayMs: config.readinessDelayMs })
  const keys = KeySet.fromJwks(config.jwksUrl, { log })
  const verifier = createTokenVerifier({ keys, issuer: config.tokenIssuer })
  const source = authSessions({ address: config.authGrpcAddress, security: grpcSecurity(config), log })
  const dependencies = { verifier, sessionsKnown: () => following().known(), log, metrics }
  const { db, directory, routes, consumers, broadcasts, ended, people, counters, checks, hub, own } = assemble(config, dependencies)
  const http = createHttpApp({
    name,
    log,
    metrics,
    verifier,
    urls: { expert: config.expertUrl, client: config.clientUrl },
    timeZones: { of: people.timeZoneOf, fallback: config.defaultTimeZone },
    idempotency: idempotencyStore(db),
    onRefused: publishRefusals(db),
    routes,
    ready: life.ready,
    alive: transport.healthy,
  })
  // The server waits for every answer, and streams do not end by themselves.
  http.addHook('preClose', () => hub.stop())

  life.add({ name: 'database', start: () => db.warmUp(), stop: () => db.close() })
  life.add({ name: 'keys of tokens', stop: () => keys.stop() })
  life.add({ name: 'auth', stop: () => directory.close() })
  life.add({ name: 'auth, for ended sessions', stop: () => source.close() })
  life.running('broadcasts', () => startConsumers({ transport, group: name, consumers: broadcasts, broadcast: true, log, metrics }))
  const following = life.running('ended sessions', () => followPatiently({ ended, source, log, eventsAway: () => !transport.receiving() }))
  life.add({ name: 'live streams', start: () => hub.start(), stop: () => hub.stop() })
  life.add({ name: 'http', start: () => http.listen({ host: config.httpHost, port: config.httpPort }), stop: () => http.close() })
  const copies = createCopies({ db, copies: people.copies, log })
  const onGap = copies.refill
  life.running('consumers', () => startConsumers({ transport, group: name, consumers, db, log, metrics, onGap }))
  life.running('relay', () => startRelay({ db, transport, log, metrics }))
  const everyMs = config.counterCheckSeconds * 1000
  const jobs = [purge({ db, rules: retention, log, metrics })]
  if (everyMs > 0) jobs.push(counterCheck({ counters, checks, metrics: own, log, everyMs }))
  life.running('jobs', () => startJobs({ db, handlers: jobs, log, metrics }))
  // After the subscription, and in the background: until it is done, whoever is not found in a copy is asked for at auth.
  life.add({ name: 'copies', start: copies.fill, stop: copies.stop })
  await life.start()

  const { port } = http.server.address() as AddressInfo
  return {
    httpUrl: `http://127.0.0.1:${port}`,
    async recount(customerId) {
      const missing = await counters.recount(customerId, { repair: true })
      return missing.reduce((sum, { value }) => sum + Math.abs(value), 0)
    },
    stop: life.stop,
  }
}

async function followPatiently(options: FollowOptions): Promise<FollowedSessions> {
  const following = followEndedSessions(options)
  await Promise.race([following.firstRead, pause(timeoutMs, undefined, { ref: false })])
  return following
}
