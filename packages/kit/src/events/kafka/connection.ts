import { readFileSync } from 'node:fs'
import { Kafka, type KafkaConfig, type LogEntry, logLevel } from 'kafkajs'
import type { Logger } from '../../observability/index.js'
import { stopIdlePolling } from './stop-idle-polling.js'

/** TLS with SASL (SCRAM-SHA-512, RFC 7677), or `plaintext`: neither encryption nor authentication. */
export type KafkaSecurity =
  | 'plaintext'
  | {
      /** A PEM file with the certificate authorities of the brokers, read by `connectionOf`. Default: the authorities that Node trusts. */
      caFile?: string | undefined
      username: string
      password: string
    }

/** The addresses of Kafka, and the credentials for it. */
export interface KafkaSettings {
  /** `host:port` of at least one broker, from which the others are learned. The certificate of a broker must name its host. */
  brokers: readonly string[]
  security: KafkaSecurity
}

export interface KafkaOptions extends KafkaSettings {
  /** The name of the service, which the log of the broker shows. */
  clientId: string
  log: Logger
  /** The maximum age of cached metadata of topics and partitions, in milliseconds. Default 30,000. */
  metadataMaxAgeMs?: number
}

const levels = { [logLevel.ERROR]: 'warn', [logLevel.WARN]: 'debug', [logLevel.INFO]: 'debug', [logLevel.DEBUG]: 'trace' } as const

/** Logs at lower levels than kafkajs does: it logs as errors what it then retries. */
const toLog =
  (log: Logger) =>
  () =>
  ({ level, log: { message, error } }: LogEntry) =>
    log[levels[level as keyof typeof levels] ?? 'debug']({ kafka: error ?? undefined }, message)

/**
 * A kafkajs client. It connects when a producer, a consumer or an admin client of it does.
 * @throws Error when `caFile` cannot be read
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
