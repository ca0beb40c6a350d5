import { passedOn } from './passed-on.js'

/**
 * Limits of a caller at the gateway, and behind which proxies callers are, as the environment of the launcher sets them: a measurement or a load test
 * needs higher limits, or many addresses.
 */
export const callerLimitsOf = (env: NodeJS.ProcessEnv): Record<string, string> => passedOn(env, /^GATEWAY_(?:REQUESTS_|TRUSTED_PROXIES$)/)
