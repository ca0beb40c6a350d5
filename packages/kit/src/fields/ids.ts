import { type Id, parseId } from '../caller/index.js'
import { FieldError } from './field.js'
import { kind } from './kind.js'
import { quoted } from './quoted.js'

const idForms = { type: ['string', 'integer'], pattern: '^[1-9][0-9]{0,15}$', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
const decodeId = (wire: unknown): Id | FieldError => parseId(wire) ?? new FieldError('must be an id')

/** An id that leaves as text. */
export const idText = kind<Id>({
  sql: 'bigint',
  input: idForms,
  output: { type: 'string', pattern: '^[1-9][0-9]*$' },
  decode: decodeId,
  encode: String,
  transcode: quoted,
})

/** An id that leaves as an integer. */
export const idInteger = kind<Id>({
  sql: 'bigint',
  input: idForms,
  output: { type: 'integer', minimum: 1 },
  decode: decodeId,
  encode: Number,
  // As JSON writes a number that has lost its last digits.
  transcode: (text) => String(Number(text)),
})
