import { Kafka, type LogEntry, logLevel } from 'kafkajs'
import type { Logger } from '../../observability/index.js'

export interface KafkaOptions {
  /** `host:port` of some of the brokers. */
  brokers: readonly string[]
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

export const connectionOf = ({ brokers, clientId, log }: KafkaOptions) =>
  new Kafka({
    brokers: [...brokers],
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    enforceRequestTimeout: true,
    retry: { initialRetryTime: 100, maxRetryTime: 2_000, retries: 5 },
    logLevel: logLevel.INFO,
    logCreator: toLog(log),
  })
