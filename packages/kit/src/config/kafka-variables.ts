import type { KafkaSettings } from '../events/index.js'
import { ConfigError, type Values } from './define-config.js'
import { hostPorts } from './lists.js'
import { pemFile } from './paths.js'
import { flag, text } from './variables.js'

const shared = { shared: true } as const

/** The brokers of Kafka and the credentials for them. `kafkaRule` belongs to them. */
export const kafkaVariables = {
  KAFKA_BROKERS: hostPorts({
    ...shared,
    default: [],
    help: 'Kafka brokers; without them events stay within this process',
  }),
  KAFKA_USERNAME: text({ ...shared, optional: true, help: 'Kafka user (SASL, SCRAM-SHA-512)' }),
  KAFKA_PASSWORD: text({ ...shared, optional: true, secret: true, help: 'Kafka password' }),
  KAFKA_CA_FILE: pemFile({
    ...shared,
    optional: true,
    help: 'Certificates of the authorities that signed the brokers’ certificates. Default: those that Node.js trusts',
  }),
  KAFKA_INSECURE: flag({ ...shared, default: false, help: 'Connect to Kafka in plain text, without authentication' }),
}

type KafkaValues = Values<typeof kafkaVariables>

/** The rule of `kafkaVariables`: with brokers, a user and a password are set, unless `KAFKA_INSECURE` is. */
export function kafkaRule({ kafkaBrokers, kafkaInsecure, kafkaUsername, kafkaPassword }: KafkaValues): string[] {
  if (kafkaBrokers.length === 0 || kafkaInsecure) return []
  const missing = Object.entries({ KAFKA_USERNAME: kafkaUsername, KAFKA_PASSWORD: kafkaPassword }).flatMap(([name, value]) =>
    value ? [] : [name],
  )
  return missing.length === 0 ? [] : [`${missing.join(', ')} must be set: Kafka needs TLS and a user unless KAFKA_INSECURE=true.`]
}

/**
 * The settings of `createTransport` and `kafkaConnection`.
 * @throws ConfigError where `kafkaRule` is violated
 */
export function kafkaSettings(values: KafkaValues): KafkaSettings {
  const problems = kafkaRule(values)
  if (problems.length > 0) throw new ConfigError(problems)
  const { kafkaBrokers: brokers, kafkaInsecure, kafkaUsername: username, kafkaPassword: password, kafkaCaFile: caFile } = values
  return { brokers, security: kafkaInsecure || !username || !password ? 'plaintext' : { caFile, username, password } }
}
