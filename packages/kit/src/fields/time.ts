import { DateTime, IANAZone } from 'luxon'
import { zoneOffset } from './zone-offset.js'

/** The local time in `zone` (IANA name), as `YYYY-MM-DD HH:MM:SS`. */
export function formatTime(time: Date, zone: string): string {
  const ms = time.getTime()
  const text = new Date(ms + zoneOffset(ms, zone)).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

/** The local date in `zone` (IANA name), as `YYYY-MM-DD`. */
export const dayAt = (time: Date, zone: string): string => formatTime(time, zone).slice(0, 10)

/** The local time in `zone` (IANA name) with its offset, in ISO 8601: `2026-11-21T09:30:00+01:00`. */
export function formatOffsetTime(time: Date, zone: string): string {
  const minutes = Math.round(zoneOffset(time.getTime(), zone) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset = `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
  return formatTime(time, zone).replace(' ', 'T') + offset
}

// Hour 24 is refused, so that each local time has one spelling.
const wallClock = /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):\d{2}:\d{2}$/
const withOffset = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** The range of times whose local year has four digits in every zone. */
const earliest = Date.UTC(1000, 0, 2)
const latest = Date.UTC(9999, 11, 30)

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * The first moment with the local time `local` in `zone`, or one moved forward by what is skipped when clocks are set forward. Luxon begins its search with the
 * offset of the present day, and fails where an office has moved to another side of the date line, or to another standard time.
 * @param local the local time as milliseconds since the epoch, as if it were in UTC
 */
function momentOf(local: number, zone: string): number {
  // Outside of these years, which `parseTime` refuses, no offset can be computed.
  const offset = (ms: number) => zoneOffset(Math.min(Math.max(ms, earliest), latest), zone)
  // Offsets are between -16 and +16 hours.
  const [before, after] = [local - 16 * hourMs, local + 16 * hourMs].map((ms) => local - offset(ms)) as [number, number]
  const [first = before] = [before, after].filter((ms) => ms + offset(ms) === local).sort((one, other) => one - other)
  return first
}

/**
 * Parses a time: `YYYY-MM-DD HH:MM:SS` in `zone`, or ISO 8601 with an offset. A local time that occurs twice when clocks are set back means the first; one that
 * is skipped when they are set forward is moved forward by what is skipped, in most zones an hour.
 * @returns undefined where `text` is invalid, or its year is not from 1000 to 9999
 */
export function parseTime(text: string, zone: string): Date | undefined {
  const isLocal = wallClock.test(text)
  const parsed = isLocal ? DateTime.fromSQL(text, { zone: 'utc' }) : withOffset.test(text) ? DateTime.fromISO(text) : undefined
  if (!parsed?.isValid) return undefined
  const moment = isLocal ? momentOf(parsed.toMillis(), zone) : parsed.toMillis()
  return moment >= earliest && moment <= latest ? new Date(moment) : undefined
}

/** The moment at which the day `YYYY-MM-DD` begins in `zone` (IANA name): the first of its midnights, or the change of the clocks that skips midnight. */
export const dayStart = (day: string, zone: string): Date => new Date(momentOf(Date.parse(day), zone))

/** The moment at which the day after `YYYY-MM-DD` begins in `zone` (IANA name). */
export const dayEnd = (day: string, zone: string): Date => new Date(momentOf(Date.parse(day) + dayMs, zone))

/** Whether `name` is a time zone of the IANA database. Newer versions of Node also accept offsets, which are no names. */
export const isZone = (name: string): boolean => /^[a-z]/i.test(name) && IANAZone.isValidZone(name)
