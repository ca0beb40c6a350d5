import { DateTime, IANAZone } from 'luxon'
import { zoneOffset } from './zone-offset.js'

/** `YYYY-MM-DD HH:MM:SS` on the clocks of `zone` (IANA name). */
export function formatTime(time: Date, zone: string): string {
  const ms = time.getTime()
  const text = new Date(ms + zoneOffset(ms, zone)).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 19)}`
}

/** The day on the clocks of `zone` (IANA name), YYYY-MM-DD. */
export const dayAt = (time: Date, zone: string): string => formatTime(time, zone).slice(0, 10)

/** ISO 8601 on the clocks of `zone`, with their offset from UTC: `2026-11-21T09:30:00+01:00`. */
export function formatOffsetTime(time: Date, zone: string): string {
  const minutes = Math.round(zoneOffset(time.getTime(), zone) / 60_000)
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const offset = `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
  return formatTime(time, zone).replace(' ', 'T') + offset
}

// A day has no hour 24 here: the same moment has one name.
const wallClock = /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3]):\d{2}:\d{2}$/
const withOffset = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** Years of four digits, on the clocks of every zone. */
const earliest = Date.UTC(1000, 0, 2)
const latest = Date.UTC(9999, 11, 30)

/**
 * The moment that `text` names: `YYYY-MM-DD HH:MM:SS` on the clocks of `zone`, or ISO 8601 with an offset. Of the two hours that
 * an autumn night has, a wall clock means the first; an hour that a spring night skips is the one after it.
 */
export function parseTime(text: string, zone: string): Date | undefined {
  const parsed = wallClock.test(text) ? DateTime.fromSQL(text, { zone }) : withOffset.test(text) ? DateTime.fromISO(text) : undefined
  if (!parsed?.isValid) return undefined
  const [first = parsed] = parsed.getPossibleOffsets()
  const moment = first.toMillis()
  return moment >= earliest && moment <= latest ? new Date(moment) : undefined
}

/** Whether `name` is a time zone of the IANA database. */
export const isZone = (name: string): boolean => IANAZone.isValidZone(name)
