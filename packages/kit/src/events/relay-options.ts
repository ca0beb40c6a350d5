import type { Database } from '../database/index.js'
import type { Logger, Metrics } from '../observability/index.js'
import type { LowWatermarkOptions } from './low-watermark.js'
import type { EventTransport } from './transport.js'

export interface RelayOptions {
  db: Database<unknown>
  transport: EventTransport
  log: Logger
  metrics: Metrics
  /** Events of one publication. Default 100. */
  batch?: number
  /** Pause between two looks at the outbox when nothing wakes the relay (default 3,000 ms), and at the leader's lock (default 1,000 ms). */
  pollMs?: number
  /** How long the relay waits for more events when it was woken; five times as long after a publication of several. Default 10 ms. */
  gatherMs?: number
  /** How the relay skips what it has published long ago. */
  lowWatermark?: LowWatermarkOptions
  /** How long `stop` waits for a publication that is under way. Default 5,000 ms. */
  graceMs?: number
}
