import { FieldError } from './field.js'
import { kind } from './kind.js'
import { quoted } from './quoted.js'

/** An integer from `min` to `max` that leaves as text. */
export const integerText = ({ min, max }: { min: number; max: number }) =>
  kind<number>({
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
    transcode: quoted,
  })
