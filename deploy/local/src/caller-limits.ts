import { passedOn } from './passed-on.js'

/** Limits of a caller at the gateway, as the environment of the launcher sets them: a measurement or a load test needs higher ones. */
export const callerLimitsOf = (env: NodeJS.ProcessEnv): Record<string, string> => passedOn(env, /^GATEWAY_REQUESTS_/)
