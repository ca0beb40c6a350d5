import type { Database } from '../database/index.js'
import type { Logger, Metrics } from '../observability/index.js'
import type { LowWatermarkOptions } from './low-watermark.js'
import type { EventTransport } from './transport.js'

export interface RelayOptions {
  db: Database<unknown>
  transport: EventTransport
  log: Logger
  metrics: Metrics
  /** The most events of one publication. Default 100. */
  batch?: number
  /** The interval in which the outbox (default 3,000) and the leader's lock (default 1,000) are polled, in milliseconds. */
  pollMs?: number
  /** How long the relay waits for more events after it was woken, in milliseconds; five times as long after a publication of several. Default 10. */
  gatherMs?: number
  /** See `createLowWatermark`. */
  lowWatermark?: LowWatermarkOptions
  /** How long `stop` waits for a running publication, in milliseconds. Default 5,000. */
  graceMs?: number
}
