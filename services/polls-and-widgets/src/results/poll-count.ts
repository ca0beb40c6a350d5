import type { Id } from '@caseway/kit/caller'
import type { BatchStatement } from '@caseway/kit/database'
import type { Fact } from './fact.js'

/** The facts of an answer, and the local date of its office. */
export interface CountedAnswer {
  readonly customerId: Id
  readonly pollId: Id
  readonly version: number
  /** As `2026-11-23`. */
  readonly day: string
  readonly facts: readonly Fact[]
}

/** A period of days, both included. A missing one means the first or the last day. */
export interface Period {
  readonly dateFrom?: string
  readonly dateTo?: string
}

/** The number of answers to a version with a fact. */
export interface PollCount extends Fact {
  readonly version: number
  readonly count: number
}

export interface PollCounts {
  /** The statement that adds an answer to the counts (1), or subtracts it (-1), in the transaction that stores or deletes it. */
  counting(answer: CountedAnswer, by: 1 | -1): BatchStatement
  read(asked: Period & Pick<CountedAnswer, 'customerId' | 'pollId'>): Promise<PollCount[]>
}
