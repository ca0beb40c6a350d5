import { grpcSecurity, poolSettings } from '@caseway/kit/config'
import { createDatabase } from '@caseway/kit/database'
import { createLog, createMetrics, type Logger, type Metrics } from '@caseway/kit/observability'
import { createTokenVerifier, KeySet, type TokenVerifier } from '@caseway/kit/tokens'
import type { OwnConfig } from './config.js'
import { counterCheckRepository } from './counters/counter-check.repository.js'
import { PrismaClient } from './generated/client.js'
import { casesMetrics } from './metrics.js'
import { authDirectory } from './people/auth-directory.client.js'
import { wire } from './wiring.js'

interface Dependencies {
  readonly verifier: TokenVerifier
  readonly sessionsKnown: () => boolean
  readonly log: Logger
  readonly metrics: Metrics
}

/** A port that nobody answers at: without auth, what only auth knows is `unavailable`. */
const UNREACHABLE_ADDRESS = { address: 'ipv4:127.0.0.1:1', security: 'plaintext' } as const

const auth = (config: OwnConfig) =>
  config.authGrpcAddress ? { address: config.authGrpcAddress, security: grpcSecurity(config) } : UNREACHABLE_ADDRESS

/** The service without its edges: its database, and everything that is wired to it. */
export function assemble(config: OwnConfig, { verifier, sessionsKnown, log, metrics }: Dependencies) {
  const db = createDatabase({ url: config.databaseUrl, client: PrismaClient, pool: poolSettings(config), log, metrics })
  const directory = authDirectory({ ...auth(config), log })
  const checks = counterCheckRepository(db)
  const own = casesMetrics(metrics, checks.drift)
  return {
    db,
    directory,
    own,
    checks,
    ...wire({ db, directory, verifier, sessionsKnown, defaultTimeZone: config.defaultTimeZone, log, metrics: own }),
  }
}

/** What whoever runs the installation can do, where the service itself runs elsewhere, or not at all. */
export function openAdministration(config: OwnConfig, log = createLog({ service: 'cases-and-counters', level: 'warn' })) {
  // Nobody shows a token here.
  const verifier = createTokenVerifier({ keys: new KeySet(), issuer: '' })
  const metrics = createMetrics('cases-and-counters')
  const { db, directory, consumers, people, counters } = assemble(config, { verifier, sessionsKnown: () => false, log, metrics })
  return {
    db,
    consumers,
    copies: people.copies,
    hasOffice: people.hasOffice,
    recount: counters.recount,
    async close() {
      directory.close()
      await db.close()
    },
  }
}
