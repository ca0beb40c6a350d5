import { kafkaSettings } from '@caseway/kit/config'
import type { KafkaSettings } from '@caseway/kit/events'
import { databaseUrlVariable, serviceNames } from '@caseway/registry'
import { config } from './config.js'
import { localKafka, localVariables } from './local-installation.js'
import { Problem } from './problem.js'

const decisive = serviceNames.map(databaseUrlVariable)

/**
 * The variables of the services: those of `env`, or those of the local installation, but never a mixture: data that are encrypted with the secret of
 * one installation in the database of another could be read by neither.
 */
export function serviceVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (decisive.some((name) => env[name])) return env
  return { ...env, ...localVariables(config.read(env).casewayHome) }
}

/** The Kafka settings; undefined where events travel without Kafka. */
export function kafkaOf(env: NodeJS.ProcessEnv): KafkaSettings | undefined {
  const values = config.read(env)
  if (values.kafkaBrokers.length > 0) return kafkaSettings(values)
  return decisive.some((name) => env[name]) ? undefined : localKafka(values.casewayHome)
}

export function requireKafka(env: NodeJS.ProcessEnv): KafkaSettings {
  const settings = kafkaOf(env)
  if (!settings) throw new Problem('There is no Kafka to talk to: set KAFKA_BROKERS, or run the platform with npm run start:distributed.')
  return settings
}
