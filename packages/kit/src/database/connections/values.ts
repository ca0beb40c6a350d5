import pg from 'pg'
import type { SqlType } from '../../fields/index.js'

const parseTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
const utc = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d+)?)\+00$/

/** The session's time zone is UTC, and `new Date` parses such a text many times faster than pg's own parser. */
function momentOf(text: string): unknown {
  const [, day, time] = utc.exec(text) ?? []
  return day === undefined ? parseTimestamp(text) : new Date(`${day}T${time}Z`)
}

/** Converts PostgreSQL's text of a value, by the type of its column. A date stays text, because a Date would depend on the time zone of the process. */
export const fromText = {
  bigint: BigInt,
  integer: Number,
  numeric: String,
  text: String,
  boolean: (text) => text === 't',
  timestamptz: momentOf,
  date: String,
} satisfies Record<SqlType, (text: string) => unknown>
