import { poolSettings } from '@caseway/kit/config'
import { createDatabase } from '@caseway/kit/database'
import { createLog, createMetrics, type Logger, type Metrics } from '@caseway/kit/observability'
import type { OwnConfig } from './config.js'
import { PrismaClient } from './generated/client.js'
import { createSecrets } from './keys/secrets.js'
import { postgresLimits } from './limits/postgres-limits.client.js'
import { postgresLoginFailures } from './limits/postgres-login-failures.client.js'
import { postgresOfficeRequests } from './limits/postgres-office-requests.client.js'
import { postgresTokenRequests } from './limits/postgres-token-requests.client.js'
import { authMetrics } from './metrics.js'
import { argon2PasswordHasher } from './passwords/argon2-password-hasher.client.js'
import { wire } from './wiring.js'

const dayMs = 86_400_000

/** The service without its edges: its database, and everything that is wired to it. */
export async function assemble(config: OwnConfig, { log, metrics }: { log: Logger; metrics: Metrics }) {
  const db = createDatabase({ url: config.databaseUrl, client: PrismaClient, pool: poolSettings(config), log, metrics })
  const own = authMetrics(metrics)
  const limits = postgresLimits(config.databaseUrl, log)
  const failures = postgresLoginFailures(limits, own.loginLimits)
  const tokenRequests = postgresTokenRequests(limits, config.tokenRequestsPerMinute)
  const hasher = await argon2PasswordHasher({ concurrency: config.passwordConcurrency, maxWaiting: config.passwordQueue })
  const settings = {
    issuer: config.tokenIssuer,
    accessTokenMs: config.accessTokenSeconds * 1000,
    refreshTokenMs: config.refreshTokenDays * dayMs,
    sessionMs: config.sessionDays * dayMs,
    rotationMs: config.keyRotationDays * dayMs,
    defaultTimeZone: config.defaultTimeZone,
  }
  const services = wire({
    db,
    secrets: createSecrets(config.secret, config.secretPrevious),
    hasher,
    failures,
    tokenRequests,
    officeRequests: postgresOfficeRequests(limits),
    settings,
    log,
    metrics: own,
  })
  return { db, limits, ...services }
}

/** What whoever runs the installation can do, where the service itself runs elsewhere, or not at all. */
export async function openAdministration(config: OwnConfig, log = createLog({ service: 'auth', level: 'warn' })) {
  const { db, limits, administration, grpc } = await assemble(config, { log, metrics: createMetrics('auth') })
  return {
    ...administration,
    db,
    /** What auth answers, for who asks where it does not run. */
    grpc,
    async close() {
      await Promise.all([db.close(), limits.close()])
    },
  }
}
