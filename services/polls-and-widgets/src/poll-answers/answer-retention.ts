import type { PurgeRule } from '@caseway/kit/purge'

const dayMs = 86_400_000

/** A day ends up to 36 hours after its midnight in UTC, by which rules count: a day and the twelve hours of the zone farthest west. */
const longestDayMs = 1.5 * dayMs

/** Answers expire by their day, together with the counts of that day, and not before its end is `days` in the past. @param days 0 means no expiry */
export const answerRetention = (days: number): PurgeRule[] =>
  days === 0 ? [] : ['poll_answers', 'poll_counts'].map((table) => ({ table, column: 'day', keepMs: days * dayMs + longestDayMs }))
