import { FieldError } from './field.js'
import { type Kind, kind } from './kind.js'
import { quoted } from './quoted.js'

interface Bounds {
  readonly min: number
  readonly max: number
}

const integers = ({ min, max }: Bounds): Omit<Kind<number>, 'access' | 'nullable' | 'output' | 'encode' | 'transcode'> => ({
  sql: 'integer',
  input: { type: ['string', 'integer'], pattern: '^-?[0-9]+$', minimum: min, maximum: max },
  decode(wire) {
    const value = typeof wire === 'string' && /^-?(0|[1-9][0-9]{0,15})$/.test(wire) ? Number(wire) : wire
    return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : new FieldError(`must be an integer from ${min} to ${max}`)
  },
})

/** An integer from `min` to `max` that is shown as a string. Accepts strings and integers. */
export const integerText = (bounds: Bounds) =>
  kind<number>({ ...integers(bounds), output: { type: 'string', pattern: '^-?[0-9]+$' }, encode: String, transcode: quoted })

/** An integer from `min` to `max` that is shown as an integer. Accepts strings and integers. */
export const integer = (bounds: Bounds) =>
  kind<number>({ ...integers(bounds), output: { type: 'integer' }, encode: (value) => value, transcode: (text) => text })

const money = /^(0|[1-9][0-9]{0,9})(?:\.([0-9]{1,2}))?$/

/**
 * An amount of money with at most ten digits and two decimal places, such as `"1200.50"`; the column is `numeric(12,2)`. The value is the text, never a
 * float. A JSON number is accepted, and read by its shortest decimal form (ECMA-262, Number::toString).
 */
export const amount = kind<string>({
  sql: 'numeric',
  input: { type: ['string', 'number'], pattern: money.source, minimum: 0, maximum: 9_999_999_999.99 },
  output: { type: 'string', pattern: '^[0-9]+\\.[0-9]{2}$' },
  decode(wire) {
    const [, whole, places = ''] = (typeof wire === 'string' || typeof wire === 'number' ? money.exec(String(wire)) : null) ?? []
    return whole === undefined
      ? new FieldError('must be an amount from 0 to 9999999999.99 with at most two decimal places')
      : `${whole}.${places.padEnd(2, '0')}`
  },
  encode: (value) => value,
  transcode: quoted,
})
