import type { Id } from '@caseway/kit/caller'
import type { BatchStatement } from '@caseway/kit/database'
import type { Fact } from './fact.js'

/** What an answer says, and on which day of its office it was given. */
export interface CountedAnswer {
  readonly customerId: Id
  readonly pollId: Id
  readonly version: number
  /** As `2026-11-23`. */
  readonly day: string
  readonly facts: readonly Fact[]
}

/** The days of a period, both included; without one, from the first or to the last. */
export interface Period {
  readonly dateFrom?: string
  readonly dateTo?: string
}

/** How many answers have what `block` and `place` of a version say. */
export interface PollCount extends Fact {
  readonly version: number
  readonly count: number
}

export interface PollCounts {
  /** Counts an answer in the transaction of its change: by 1 when it is stored, by -1 when it is deleted. */
  counting(answer: CountedAnswer, by: 1 | -1): BatchStatement
  read(asked: Period & Pick<CountedAnswer, 'customerId' | 'pollId'>): Promise<PollCount[]>
}
