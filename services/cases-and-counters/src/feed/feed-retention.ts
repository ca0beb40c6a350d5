import type { PurgeRule } from '@caseway/kit/purge'
import { keptMs } from './feed.js'

/** How long the rows of the live stream are kept. */
export const feedRetention: readonly PurgeRule[] = [
  { table: 'feed_entries', column: 'created', keepMs: keptMs },
  { table: 'event_tickets', column: 'expires', keepMs: 0 },
]
