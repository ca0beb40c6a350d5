import { passedOn } from './passed-on.js'

/**
 * The variables of the gateway's caller limits and trusted proxies that are set in the launcher's environment: load tests need higher limits, or many
 * client addresses.
 */
export const callerLimitsOf = (env: NodeJS.ProcessEnv): Record<string, string> => passedOn(env, /^GATEWAY_(?:REQUESTS_|TRUSTED_PROXIES$)/)
