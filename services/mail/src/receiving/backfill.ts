import type { Id } from '@caseway/kit/caller'
import type { SystemFolder } from '../received-messages/target-folder.js'

/** A backfill that is in progress. */
export interface RunningBackfill {
  readonly id: Id
  readonly customerId: Id
  readonly mailServerId: Id
  /** Whose messages are fetched. */
  readonly folder: SystemFolder
  /** The first moment of the range. */
  readonly from: Date
  readonly dryRun: boolean
  /** The first day of the month that is next. */
  readonly month: Date
}

/** What became of messages. */
export interface Counted {
  readonly stored: number
  readonly duplicates: number
  readonly discarded: number
  readonly errors: number
  /** In bytes, of what was fetched. */
  readonly bytes: number
}

const dayMs = 86_400_000

/** Days by which a search is wider than a month: a server compares dates on its own clocks (RFC 9051, 6.4.4), wherever it is. */
export const searched = (month: Date): { since: Date; before: Date } => ({
  since: new Date(month.getTime() - dayMs),
  before: new Date(nextMonth(month).getTime() + dayMs),
})

/** Before what a search for older months looks. */
export const olderThan = (month: Date): Date => new Date(month.getTime() + dayMs)

/** The first moment of the next day (UTC). */
export const tomorrow = (now: Date): Date => new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs)

export const nextMonth = (month: Date): Date => new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1))

/** Of the month, and of the range. */
export const isWithin = (moment: Date, { month, from }: Pick<RunningBackfill, 'month' | 'from'>): boolean =>
  moment >= month && moment < nextMonth(month) && moment >= from
