import pg from 'pg'
import type { SqlType } from '../../fields/index.js'

const parseTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
const utc = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d+)?)\+00$/

/** The connection speaks UTC; of a moment in it Node's own parser makes a Date many times faster than that of pg. */
function momentOf(text: string): unknown {
  const [, day, time] = utc.exec(text) ?? []
  return day === undefined ? parseTimestamp(text) : new Date(`${day}T${time}Z`)
}

/** The value inside that is a text of PostgreSQL, by the type of its column. A date has no zone: a Date would move with that of the process. */
export const fromText = {
  bigint: BigInt,
  integer: Number,
  numeric: String,
  text: String,
  boolean: (text) => text === 't',
  timestamptz: momentOf,
  date: String,
} satisfies Record<SqlType, (text: string) => unknown>
