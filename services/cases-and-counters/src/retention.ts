import { kitTables, type PurgeRule } from '@caseway/kit/purge'
import { keptMs } from './feed/feed.js'

/** How long the rows of each growing table are kept. */
export const retention: readonly PurgeRule[] = [
  ...kitTables,
  { table: 'feed_entries', column: 'created', keepMs: keptMs },
  { table: 'event_tickets', column: 'expires', keepMs: 0 },
]
