import { postgresLimits } from '@caseway/kit/limits'
import { Counter, type Logger, type Metrics } from '@caseway/kit/observability'
import { loginFailures } from './login-failures.js'

interface Dependencies {
  readonly databaseUrl: string
  readonly tokenRequestsPerMinute: number
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'registry'>
}

/** Rate limits by address, account and client, shared by all copies of the service. */
export function wireLimits({ databaseUrl, tokenRequestsPerMinute, log, metrics }: Dependencies) {
  const { limit, close } = postgresLimits(databaseUrl, log)
  const refusals = new Counter({
    name: 'login_limits_total',
    help: 'Sign-ins refused after too many failures',
    registers: [metrics.registry],
  })
  return {
    loginFailures: loginFailures(limit, refusals),
    /** Token requests, by address. */
    tokenRequests: limit({ name: 'token-request', points: tokenRequestsPerMinute, seconds: 60, refusedFromMemory: true }),
    /** Links that a client makes with offices. */
    officeRequests: limit({ name: 'office-request', points: 20, seconds: 86_400 }),
    /** Requests without a token that set a password or ask for a link, by address. */
    mailedLinkRequests: limit({ name: 'mailed-link-request', points: 100, seconds: 900, refusedFromMemory: true }),
    /** Mails to one address about one topic. */
    accountMails: limit({ name: 'account-mail', points: 5, seconds: 3600 }),
    close,
  }
}
