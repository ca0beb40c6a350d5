import type { PurgeRule } from '@caseway/kit/purge'
import { keptMs } from './feed.js'

export const feedRetention: readonly PurgeRule[] = [
  { table: 'feed_entries', column: 'created', keepMs: keptMs },
  { table: 'event_tickets', column: 'expires', keepMs: 0 },
]
