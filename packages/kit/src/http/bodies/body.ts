import { invalid } from '../../errors/index.js'
import { camel, type Field, FieldError, type Fields } from '../../resource/index.js'

export interface BodyShape {
  /** The wrapper, and others that old callers use. */
  readonly wrappers: readonly [string, ...string[]]
  readonly fields: Fields
  readonly accepts: readonly string[]
  readonly required: readonly string[]
}

type Values = Record<string, unknown>

/** What was sent for a field, or why it is refused. */
function decodeField(field: Field, sent: unknown, required: boolean, zone: string): unknown {
  if (required && (sent === null || (typeof sent === 'string' && sent.trim() === ''))) return new FieldError('is required')
  if (sent === null) return field.nullable ? null : new FieldError('must not be null')
  return field.decode(sent, zone)
}

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

function unwrap(body: unknown, wrappers: BodyShape['wrappers']): Values {
  for (const wrapper of wrappers) {
    const sent = isObject(body) && Object.hasOwn(body, wrapper) ? body[wrapper] : undefined
    if (isObject(sent)) return sent
  }
  throw invalid({ [wrappers[0]]: 'is required' })
}

/**
 * Reads wrapped bodies of one shape: the values by their names inside. Unknown fields are passed over. With `partial`, required
 * fields may be missing, but not be blank.
 * @throws AppError `invalid` with every wrong field
 */
export function bodyReader({ wrappers, fields, accepts, required }: BodyShape) {
  const inputs = accepts.map((wire) => ({ wire, name: camel(wire), field: fields[wire] as Field, required: required.includes(wire) }))
  return (body: unknown, zone: string, { partial = false } = {}): Values => {
    const sent = unwrap(body, wrappers)
    const values: Values = {}
    const wrong: Record<string, string> = {}
    for (const { wire, name, field, required } of inputs) {
      if (Object.hasOwn(sent, wire)) {
        const value = decodeField(field, sent[wire], required, zone)
        if (value instanceof FieldError) wrong[wire] = value.text
        else values[name] = value
      } else if (required && !partial) wrong[wire] = 'is required'
    }
    if (Object.keys(wrong).length > 0) throw invalid(wrong)
    return values
  }
}
