import type { PurgeRule } from '@caseway/kit/purge'

const dayMs = 86_400_000

/** What has decided where a message is. @param days 0 keeps it for ever */
export const traceRetention = (days: number): PurgeRule[] =>
  days === 0 ? [] : [{ table: 'mail_traces', column: 'created', keepMs: days * dayMs }]
