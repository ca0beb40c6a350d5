import Type from 'typebox'
import { type Id, parseId } from '../caller/index.js'
import { FieldError } from './field.js'
import { kind } from './kind.js'
import { quoted } from './quoted.js'

const idForms = { type: ['string', 'integer'], pattern: '^[1-9][0-9]{0,15}$', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
/** The schema of an id within JSON. */
export const idSchema = Type.Unsafe<number | string>(idForms)

const decodeId = (wire: unknown): Id | FieldError => parseId(wire) ?? new FieldError('must be an id')

/** An id that is shown as a string. Accepts strings and integers. */
export const idText = kind<Id>({
  sql: 'bigint',
  input: idForms,
  output: { type: 'string', pattern: '^[1-9][0-9]*$' },
  decode: decodeId,
  encode: String,
  transcode: quoted,
})

/** An id that is shown as an integer. Accepts strings and integers. */
export const idInteger = kind<Id>({
  sql: 'bigint',
  input: idForms,
  output: { type: 'integer', minimum: 1 },
  decode: decodeId,
  encode: Number,
  // Through Number, as in `encode`: both must lose the same digits of an id above 2^53.
  transcode: (text) => String(Number(text)),
})
