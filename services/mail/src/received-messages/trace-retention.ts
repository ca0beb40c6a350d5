import type { PurgeRule } from '@caseway/kit/purge'

const dayMs = 86_400_000

/** The retention of traces. @param days 0 keeps them forever */
export const traceRetention = (days: number): PurgeRule[] =>
  days === 0 ? [] : [{ table: 'mail_traces', column: 'created', keepMs: days * dayMs }]
