import { IsDate } from 'typebox/format'
import { FieldError } from './field.js'
import { type Kind, kind } from './kind.js'
import { quoted } from './quoted.js'
import { formatStoredTime } from './stored-time.js'
import { textual } from './textual.js'
import { formatOffsetTime, formatTime, parseTime } from './time.js'

/** A timestamp, shown as `YYYY-MM-DD HH:MM:SS` in the time zone of the office. Also accepts ISO 8601 with an offset. */
export const timestamp = kind<Date>({
  sql: 'timestamptz',
  input: { type: 'string', examples: ['2026-11-21 09:30:00', '2026-11-21T09:30:00+01:00'] },
  output: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$' },
  decode: (wire, zone) =>
    (typeof wire === 'string' ? parseTime(wire, zone) : undefined) ?? new FieldError('must be a time as YYYY-MM-DD HH:MM:SS'),
  encode: formatTime,
  transcode: (text, zone) => quoted(formatStoredTime(text, zone)),
})

/** A timestamp, shown in ISO 8601 with the offset of the office. Accepts the same as `timestamp`. */
export const offsetTimestamp = kind<Date>({
  ...timestamp,
  output: { type: 'string', format: 'date-time' },
  encode: formatOffsetTime,
  transcode: (text, zone) => quoted(formatOffsetTime(new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z')), zone)),
})

/** A date without a time zone: text as `YYYY-MM-DD`. */
export const date: Kind<string> = {
  ...textual({ format: 'date' }, (value) => (IsDate(value) && value >= '0001' ? value : new FieldError('must be a date as YYYY-MM-DD'))),
  sql: 'date',
}
