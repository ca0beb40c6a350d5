import type { PurgeRule } from '@caseway/kit/purge'

const dayMs = 86_400_000

/** Answers expire by their day, together with the counts of that day. @param days 0 means no expiry */
export const answerRetention = (days: number): PurgeRule[] =>
  days === 0 ? [] : ['poll_answers', 'poll_counts'].map((table) => ({ table, column: 'day', keepMs: days * dayMs }))
