import { postgresLimits } from '@caseway/kit/limits'
import { Counter, type Logger, type Metrics } from '@caseway/kit/observability'
import { loginFailures } from './login-failures.js'

interface Dependencies {
  readonly databaseUrl: string
  readonly tokenRequestsPerMinute: number
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'registry'>
}

/** Limits of addresses, accounts and clients, over all copies of the service. */
export function wireLimits({ databaseUrl, tokenRequestsPerMinute, log, metrics }: Dependencies) {
  const { limit, close } = postgresLimits(databaseUrl, log)
  const refusals = new Counter({
    name: 'login_limits_total',
    help: 'Sign-ins refused because too many have failed before',
    registers: [metrics.registry],
  })
  return {
    loginFailures: loginFailures(limit, refusals),
    /** Requests for a token, by address. */
    tokenRequests: limit({ name: 'token-request', points: tokenRequestsPerMinute, seconds: 60, refusedFromMemory: true }),
    /** How often a client turns to an office. */
    officeRequests: limit({ name: 'office-request', points: 20, seconds: 86_400 }),
    /** Requests by which people without a token set a password or ask for one, by address. */
    mailedLinkRequests: limit({ name: 'mailed-link-request', points: 100, seconds: 900, refusedFromMemory: true }),
    /** Mails to one address about one thing. */
    accountMails: limit({ name: 'account-mail', points: 5, seconds: 3600 }),
    close,
  }
}
