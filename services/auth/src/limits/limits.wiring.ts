import { Counter, type Logger, type Metrics } from '@caseway/kit/observability'
import type { PurgeRule } from '@caseway/kit/purge'
import { postgresLimits } from './postgres-limits.client.js'
import { postgresLoginFailures } from './postgres-login-failures.client.js'
import { postgresOfficeRequests } from './postgres-office-requests.client.js'
import { postgresTokenRequests } from './postgres-token-requests.client.js'

interface Dependencies {
  readonly databaseUrl: string
  readonly tokenRequestsPerMinute: number
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'registry'>
}

/** Limits of addresses and accounts, over all copies of the service. */
export function wireLimits({ databaseUrl, tokenRequestsPerMinute, log, metrics }: Dependencies) {
  const limits = postgresLimits(databaseUrl, log)
  const refusals = new Counter({
    name: 'login_limits_total',
    help: 'Sign-ins refused because too many have failed before',
    registers: [metrics.registry],
  })
  return {
    loginFailures: postgresLoginFailures(limits, refusals),
    tokenRequests: postgresTokenRequests(limits, tokenRequestsPerMinute),
    officeRequests: postgresOfficeRequests(limits),
    retention: ['login_failures', 'token_requests', 'office_requests'].map(untilExpired),
    close: limits.close,
  }
}

const untilExpired = (table: string): PurgeRule => ({ table, column: 'expire', unit: 'epoch-ms', keepMs: 0 })
