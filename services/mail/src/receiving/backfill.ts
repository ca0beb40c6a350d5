import type { Id } from '@caseway/kit/caller'
import { dayAt } from '@caseway/kit/fields'
import type { SystemFolder } from '../received-messages/target-folder.js'
import type { RemoteFolder } from './remote-folder.js'

/** A backfill that is in progress. Its days are those of the office, each as its midnight (UTC). */
export interface RunningBackfill {
  readonly id: Id
  readonly customerId: Id
  readonly mailServerId: Id
  /** Whose messages are fetched. */
  readonly folder: SystemFolder
  /** The first day of the range. */
  readonly from: Date
  readonly dryRun: boolean
  /** The first day of the month that is next. */
  readonly month: Date
}

/** How far the folders of the month that is next were read: the last UID of each, by its id and epoch. In the types of JSON. */
export type ReadUids = Readonly<Record<string, string>>

type NumberedFolder = Pick<RemoteFolder, 'id' | 'epoch'>

const keyOf = ({ id, epoch }: NumberedFolder) => `${id}/${epoch}`

export const readUntil = (read: ReadUids, folder: NumberedFolder): bigint => BigInt(read[keyOf(folder)] ?? 0)
export const withRead = (read: ReadUids, folder: NumberedFolder, uid: bigint): ReadUids => ({ ...read, [keyOf(folder)]: String(uid) })

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

/** By which a search is wider than a month: a server compares days on its own clocks (RFC 9051, 6.4.4), up to 26 hours from those of the office. */
const marginMs = 2 * dayMs

export const searched = (month: Date): { since: Date; before: Date } => ({
  since: new Date(month.getTime() - marginMs),
  before: new Date(nextMonth(month).getTime() + marginMs),
})

/** Before what a search for older months looks. */
export const olderThan = (month: Date): Date => new Date(month.getTime() + marginMs)

/** The first moment of the next day (UTC). */
export const tomorrow = (now: Date): Date => new Date((Math.floor(now.getTime() / dayMs) + 1) * dayMs)

const nextMonth = (month: Date): Date => new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1))

/** Of the month, and of the range, on the clocks of the office. */
export function isWithin(moment: Date, { month, from }: Pick<RunningBackfill, 'month' | 'from'>, zone: string): boolean {
  const day = new Date(dayAt(moment, zone))
  return day >= month && day < nextMonth(month) && day >= from
}
