import { readFileSync } from 'node:fs'
import { Kafka, type KafkaConfig, type LogEntry, logLevel } from 'kafkajs'
import type { Logger } from '../../observability/index.js'
import { stopIdlePolling } from './stop-idle-polling.js'

/** TLS and SASL (SCRAM-SHA-512, RFC 7677), or plain text, without encryption and authentication. */
export type KafkaSecurity =
  | 'plaintext'
  | {
      /** Certificates of the authorities of the brokers, in PEM, read when a connection is set up. Default: those that Node trusts. */
      caFile?: string | undefined
      username: string
      password: string
    }

/** Where Kafka is, and how one signs in there. */
export interface KafkaSettings {
  /** `host:port` of some of the brokers. A broker's certificate must carry the host. */
  brokers: readonly string[]
  security: KafkaSecurity
}

export interface KafkaOptions extends KafkaSettings {
  /** The service's name, as the broker's log shows it. */
  clientId: string
  log: Logger
  /** How old the knowledge of partitions may be. Default 30,000. */
  metadataMaxAgeMs?: number
}

const levels = { [logLevel.ERROR]: 'warn', [logLevel.WARN]: 'debug', [logLevel.INFO]: 'debug', [logLevel.DEBUG]: 'trace' } as const

/** kafkajs calls an error what it then tries again, so that its lines are one level less grave here. */
const toLog =
  (log: Logger) =>
  () =>
  ({ level, log: { message, error } }: LogEntry) =>
    log[levels[level as keyof typeof levels] ?? 'debug']({ kafka: error ?? undefined }, message)

/**
 * A connection to Kafka; nothing is sent before it is used.
 * @throws when the file of the authorities cannot be read
 */
export function connectionOf({ brokers, security, clientId, log }: KafkaOptions): Kafka {
  stopIdlePolling()
  return new Kafka({
    brokers: [...brokers],
    clientId,
    ...protection(security),
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    enforceRequestTimeout: true,
    retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 5 },
    logLevel: logLevel.INFO,
    logCreator: toLog(log),
  })
}

function protection(security: KafkaSecurity): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  if (security === 'plaintext') return {}
  const { caFile, username, password } = security
  return { ssl: caFile ? { ca: readFileSync(caFile) } : true, sasl: { mechanism: 'scram-sha-512', username, password } }
}
