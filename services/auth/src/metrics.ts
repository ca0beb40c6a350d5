import { Counter, type Metrics } from '@caseway/kit/observability'

/** What this service alone has to tell. */
export function authMetrics({ registry }: Pick<Metrics, 'registry'>) {
  const registers = [registry]
  return {
    refreshReuse: new Counter({
      name: 'refresh_token_reuse_total',
      help: 'Sessions ended because a refresh token was reused',
      registers,
    }),
    loginLimits: new Counter({
      name: 'login_limits_total',
      help: 'Sign-ins refused because too many have failed before',
      registers,
    }),
  }
}

export type AuthMetrics = ReturnType<typeof authMetrics>
