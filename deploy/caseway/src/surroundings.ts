import { config } from './config.js'
import { localBroker, localVariables } from './local-installation.js'
import { Problem } from './problem.js'

const decisive = ['AUTH_DATABASE_URL', 'CASES_AND_COUNTERS_DATABASE_URL']

/**
 * The variables of the services: those that are set, or those of the local installation. Never some of each: what is written with the
 * secret of one installation into the database of another is lost to both.
 */
export function serviceVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (decisive.some((name) => env[name])) return env
  return { ...env, ...localVariables(config.read(env).casewayHome) }
}

/** None where events travel without Kafka. */
export function brokersOf(env: NodeJS.ProcessEnv): readonly string[] {
  const { kafkaBrokers, casewayHome } = config.read(env)
  if (kafkaBrokers.length > 0 || decisive.some((name) => env[name])) return kafkaBrokers
  return [localBroker(casewayHome) ?? []].flat()
}

export function requireBrokers(env: NodeJS.ProcessEnv): readonly string[] {
  const brokers = brokersOf(env)
  if (brokers.length === 0)
    throw new Problem('There is no Kafka to talk to: set KAFKA_BROKERS, or run the platform with npm run start:apart.')
  return brokers
}
