import type { Database } from '../database/index.js'
import type { Logger, Metrics } from '../observability/index.js'
import type { EventRecord, EventRecords, EventTransport } from './transport.js'

/** A topic and what is done with its events, as `x.consumer.ts` exports it. */
export interface Consumer {
  /** Names the consumer among the dead letters. */
  readonly name: string
  readonly topic: string
  readonly handle: (record: EventRecord) => Promise<void>
  /** Handles several at once, and has one try. Where it fails, each of them is brought to `handle`. */
  readonly handleBatch?: (records: EventRecords) => Promise<void>
}

export interface ConsumerOptions {
  transport: EventTransport
  /** The service's name: its copies share the events. */
  group: string
  consumers: readonly Consumer[]
  /** Where dead letters go. A broadcast subscription needs none: what it cannot handle is logged. */
  db?: Database<unknown>
  /** Called when the transport has deleted events before the group took them (`consumer_last_gap_timestamp_seconds`): fill its copies anew. */
  onGap?: () => Promise<void>
  /** Every copy receives every event, from now on. */
  broadcast?: boolean
  log: Logger
  metrics: Metrics
  /** Pauses between the tries of an event that fails for good, in milliseconds: one less than there are tries. */
  backOffMs?: readonly number[]
  /** Pauses between the tries of what may succeed later, in milliseconds: doubled each time, without end. Default 100 to 30,000. */
  retryMs?: { first: number; most: number }
  /**
   * The deadline of a handler, in milliseconds. An event whose handler fails after it is tried again, and so is each event of such a batch; a
   * handler that does not end is waited for.
   */
  tryTimeoutMs?: number
}
