import type { Database } from '../database/index.js'
import type { Logger, Metrics } from '../observability/index.js'
import type { EventRecord, EventRecords, EventTransport } from './transport.js'

/** A topic and the handlers of its events, made by `consumer` or `batchConsumer`. */
export interface Consumer {
  /** The name under which dead letters of this consumer are kept. */
  readonly name: string
  readonly topic: string
  readonly handle: (record: EventRecord) => Promise<void>
  /** Handles several events at once, with one try. When it fails, each of them is passed to `handle`. */
  readonly handleBatch?: (records: EventRecords) => Promise<void>
}

export interface ConsumerOptions {
  transport: EventTransport
  /** The consumer group: the name of the service, whose copies share the events. */
  group: string
  consumers: readonly Consumer[]
  /** The database that keeps dead letters. Optional for a broadcast subscription, which only logs events that it cannot handle. */
  db?: Database<unknown>
  /** Called when the transport has deleted events that the group has not received (`consumer_last_gap_timestamp_seconds`), to refill the copies. */
  onGap?: () => Promise<void>
  /** Whether every copy of the service receives every event, from now on. Default false: the copies share the events. */
  broadcast?: boolean
  log: Logger
  metrics: Metrics
  /** The pauses after permanent errors, in milliseconds: one less than an event has tries. Default 100, 400, 1,000 and 2,000. */
  backOffMs?: readonly number[]
  /** The pauses after temporary errors (`isTemporary`), in milliseconds: doubled each time, without a limit of tries. Default 100 to 30,000. */
  retryMs?: { first: number; max: number }
  /**
   * The deadline of a handler, in milliseconds. Default 10,000. A failure after it counts as temporary. A handler that does not end is not interrupted: the
   * consumer waits for it.
   */
  tryTimeoutMs?: number
}
