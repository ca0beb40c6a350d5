import type { Id } from '@caseway/kit/caller'
import { dayAt } from '@caseway/kit/fields'
import type { SystemFolder } from '../../received-messages/target-folder.js'
import type { RemoteFolder } from '../folders/remote-folder.js'

/** A backfill in progress. Its days are those of the office, each represented by its midnight in UTC. */
export interface RunningBackfill {
  readonly id: Id
  readonly customerId: Id
  readonly mailServerId: Id
  /** The folder for which messages are fetched. */
  readonly folder: SystemFolder
  /** The first day of the range. */
  readonly from: Date
  readonly dryRun: boolean
  /** The first day of the month that is fetched next. */
  readonly month: Date
}

/** How far the folders of the present month were read: the last UID of each, by folder id and epoch. Serialised as JSON. */
export type ReadUids = Readonly<Record<string, string>>

type NumberedFolder = Pick<RemoteFolder, 'id' | 'epoch'>

const keyOf = ({ id, epoch }: NumberedFolder) => `${id}/${epoch}`

export const readUntil = (read: ReadUids, folder: NumberedFolder): bigint => BigInt(read[keyOf(folder)] ?? 0)
export const withRead = (read: ReadUids, folder: NumberedFolder, uid: bigint): ReadUids => ({ ...read, [keyOf(folder)]: String(uid) })

/** The numbers of messages by outcome. */
export interface Counted {
  readonly stored: number
  readonly duplicates: number
  readonly discarded: number
  readonly errors: number
  /** The size of the fetched messages, in bytes. */
  readonly bytes: number
}

const dayMs = 86_400_000

/**
 * How much a search is wider than a month on both sides: a server compares days in its own time zone (RFC 9051, 6.4.4), which differs by up to 26
 * hours from that of the office.
 */
const marginMs = 2 * dayMs

export const searched = (month: Date): { since: Date; before: Date } => ({
  since: new Date(month.getTime() - marginMs),
  before: new Date(nextMonth(month).getTime() + marginMs),
})

/** The upper bound of a search for messages of earlier months. */
export const olderThan = (month: Date): Date => new Date(month.getTime() + marginMs)

const nextMonth = (month: Date): Date => new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1))

/** Whether a moment is within the month and the range, in the time zone of the office. */
export function isWithin(moment: Date, { month, from }: Pick<RunningBackfill, 'month' | 'from'>, zone: string): boolean {
  const day = new Date(dayAt(moment, zone))
  return day >= month && day < nextMonth(month) && day >= from
}
