import type { PurgeRule } from '@caseway/kit/purge'

const dayMs = 86_400_000

/** Answers expire with their day, and what was counted of that day with them. @param days 0 keeps them for ever */
export const answerRetention = (days: number): PurgeRule[] =>
  days === 0 ? [] : ['poll_answers', 'poll_counts'].map((table) => ({ table, column: 'day', keepMs: days * dayMs }))
