import { IsDate, IsEmail } from 'typebox/format'
import { type Id, parseId } from '../caller/index.js'
import { type Access, type Field, FieldError, type JsonSchema } from './field.js'
import { decodeText, lengthOf, wrongInLine, wrongInParagraph } from './text.js'
import { formatTime, isZone, parseTime } from './time.js'

type Open<Value> = Field<Value, 'open'>

const field = <Value>(kind: Omit<Open<Value>, 'access' | 'nullable'>): Open<Value> => ({ ...kind, access: 'open', nullable: false })

/** A kind of text: `narrow` gives the value, or why this text is none. */
const textual = <Value extends string>(schema: JsonSchema, narrow: (text: string) => Value | FieldError): Open<Value> =>
  field<Value>({
    sql: 'text',
    input: { type: 'string', ...schema },
    output: { type: 'string', ...schema },
    decode(wire) {
      const text = decodeText(wire)
      return text instanceof FieldError ? text : narrow(text)
    },
    encode: (value) => value,
  })

const idForms = { type: ['string', 'integer'], pattern: '^[1-9][0-9]{0,15}$', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
const decodeId = (wire: unknown): Id | FieldError => parseId(wire) ?? new FieldError('must be an id')

/** An id that leaves as text. */
export const idText = field<Id>({
  sql: 'bigint',
  input: idForms,
  output: { type: 'string', pattern: '^[1-9][0-9]*$' },
  decode: decodeId,
  encode: String,
})

/** An id that leaves as an integer. */
export const idInteger = field<Id>({
  sql: 'bigint',
  input: idForms,
  output: { type: 'integer', minimum: 1 },
  decode: decodeId,
  encode: Number,
})

interface Length {
  /** In characters (code points). */
  max: number
  min?: number
}

const bounded = (description: string, { max, min = 0 }: Length, refuse: (text: string) => FieldError | undefined) =>
  textual({ description, maxLength: max, ...(min > 0 && { minLength: min }) }, (value) => {
    const length = lengthOf(value)
    if (length > max) return new FieldError(`must be at most ${max} characters`)
    if (length < min) return new FieldError(min === 1 ? 'must not be empty' : `must be at least ${min} characters`)
    return refuse(value) ?? value
  })

/**
 * One line of text: a name, a subject, a phone number. Control characters (Unicode category Cc, line breaks and tabs included), line and
 * paragraph separators, and bidirectional embeddings, overrides and isolates are refused.
 */
export const line = (length: Length) => bounded('One line without control characters.', length, wrongInLine)

/** Text of several lines: as `line`, but LF, CR LF and TAB are allowed. */
export const paragraph = (length: Length) => bounded('Line breaks and tabs are the only control characters.', length, wrongInParagraph)

/** Six hexadecimal digits, no leading `#`. */
export const hexColor = textual({ pattern: '^[0-9a-fA-F]{6}$' }, (value) =>
  /^[0-9a-fA-F]{6}$/.test(value) ? value : new FieldError('must be six hexadecimal digits'),
)

/**
 * An address for mail (RFC 5322), of at most 254 characters (RFC 5321 4.5.3.1.3). What the format lets through inside of quotes is refused
 * as in a `line`, so that an address can stand in a header.
 */
export const email = textual({ format: 'email', maxLength: 254 }, (value) =>
  value.length <= 254 && IsEmail(value) && !wrongInLine(value) ? value : new FieldError('must be a valid e-mail address'),
)

/** The IANA name of a time zone. */
export const zone = textual({ maxLength: 64 }, (value) => (isZone(value) ? value : new FieldError('must be the IANA name of a time zone')))

/** One of a few words. Numbers among them may come as numbers, too. */
export function choice<const Word extends string>(...words: readonly Word[]): Open<Word> {
  const known = new Map<unknown, Word>(
    words.flatMap((word) => [[word, word], ...(word === String(Number(word)) ? [[Number(word), word] as const] : [])]),
  )
  return field<Word>({
    sql: 'text',
    input: { enum: [...known.keys()] },
    output: { type: 'string', enum: words },
    decode: (wire) => known.get(wire) ?? new FieldError(`must be one of ${words.join(', ')}`),
    encode: (word) => word,
  })
}

const flags = new Map<unknown, boolean>([
  ['0', false],
  ['1', true],
  [0, false],
  [1, true],
])

/** Yes or no that leaves as `"1"` or `"0"`. */
export const flagText = field<boolean>({
  sql: 'boolean',
  input: { enum: [...flags.keys()] },
  output: { type: 'string', enum: ['0', '1'] },
  decode: (wire) => flags.get(wire) ?? new FieldError('must be 0 or 1'),
  encode: (flag) => (flag ? '1' : '0'),
})

/** An integer from `min` to `max` that leaves as text. */
export const integerText = ({ min, max }: { min: number; max: number }) =>
  field<number>({
    sql: 'integer',
    input: { type: ['string', 'integer'], pattern: '^-?[0-9]+$', minimum: min, maximum: max },
    output: { type: 'string', pattern: '^-?[0-9]+$' },
    decode(wire) {
      const value = typeof wire === 'string' && /^-?(0|[1-9][0-9]{0,15})$/.test(wire) ? Number(wire) : wire
      return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
        ? (value as number)
        : new FieldError(`must be an integer from ${min} to ${max}`)
    },
    encode: String,
  })

/** A moment, on the wire `YYYY-MM-DD HH:MM:SS` on the clocks of the office; on input ISO 8601 with an offset, too. */
export const timestamp = field<Date>({
  sql: 'timestamptz',
  input: { type: 'string', examples: ['2026-11-21 09:30:00', '2026-11-21T09:30:00+01:00'] },
  output: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$' },
  decode: (wire, zone) =>
    (typeof wire === 'string' ? parseTime(wire, zone) : undefined) ?? new FieldError('must be a time as YYYY-MM-DD HH:MM:SS'),
  encode: formatTime,
})

/** A day without a zone, inside as on the wire `YYYY-MM-DD`. */
export const date: Open<string> = {
  ...textual({ format: 'date' }, (value) => (IsDate(value) && value >= '0001' ? value : new FieldError('must be a date as YYYY-MM-DD'))),
  sql: 'date',
}

const orNull = (schema: JsonSchema): JsonSchema => {
  if (Array.isArray(schema.enum))
    return { ...schema, ...(schema.type !== undefined && { type: [schema.type, 'null'] }), enum: [...schema.enum, null] }
  return { ...schema, type: [schema.type, 'null'].flat() }
}

/** The same kind, where null is a value, too. */
export const nullable = <Value, A extends Access>(kind: Field<Value, A>): Field<Value | null, A> =>
  ({ ...kind, nullable: true, input: orNull(kind.input), output: orNull(kind.output) }) as Field<Value | null, A>

/** The same kind, shown and never input. */
export const readOnly = <Value>(kind: Field<Value>): Field<Value, 'read-only'> => ({ ...kind, access: 'read-only' })

/** The same kind, input and never shown: a password. It has no column of its own. */
export const writeOnly = <Value>(kind: Field<Value>): Field<Value, 'write-only'> => ({ ...kind, access: 'write-only' })
