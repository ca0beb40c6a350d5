import { parseId } from '../caller/index.js'
import { amount, date, decodeText, type Field, FieldError, type SqlType } from '../fields/index.js'
import type { Cursor } from './record.js'

const malformed = new FieldError('is not a cursor of this list')

/** At most 18 digits, which fit 64 bits. */
const bigintOf = (text: string) => (/^-?[0-9]{1,18}$/.test(text) ? BigInt(text) : malformed)

function integerOf(text: string) {
  const value = Number(text)
  return /^-?[0-9]+$/.test(text) && value === (value | 0) ? value : malformed
}

function timeOf(text: string) {
  const time = new Date(text)
  return /^[0-9]{4}-/.test(text) && !Number.isNaN(time.valueOf()) && time.toISOString() === text ? time : malformed
}

const booleans = new Map([
  ['true', true],
  ['false', false],
])

/** Parsers of the values in cursors, by the type of their column. Cursors are untrusted input, and an invalid value would be an error of SQL. */
const parsers = {
  bigint: bigintOf,
  integer: integerOf,
  numeric: (text) => amount.decode(text, 'UTC'),
  text: decodeText,
  boolean: (text) => booleans.get(text) ?? malformed,
  timestamptz: timeOf,
  date: (text) => date.decode(text, 'UTC'),
} satisfies Record<SqlType, (text: string) => unknown>

/** Encodes a cursor as text for the header `Link`. It is valid only for a list in the same order. */
export function encodeCursor(order: string, { value, id }: Cursor): string {
  const text = value instanceof Date ? value.toISOString() : value === null ? null : String(value)
  return Buffer.from(JSON.stringify([order, text, String(id)])).toString('base64url')
}

/** Decodes the cursor of a list in the order `order`, such as `-modified`, whose sorted field is `field`. */
export function decodeCursor(text: string, order: string, field: Field): Cursor | FieldError {
  const [madeIn, sent, idText] = partsOf(text)
  const id = parseId(idText)
  if (madeIn !== order || id === undefined) return malformed
  const value = sent === null && field.nullable ? null : typeof sent === 'string' ? parsers[field.sql](sent) : malformed
  return value instanceof FieldError ? malformed : { value, id }
}

function partsOf(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}
