import { invalid } from '../../errors/index.js'
import { type Field, FieldError, type Fields } from '../../fields/index.js'
import { camel } from '../../resource/index.js'

/** The name of the wrapper of a body, followed by old names that are still accepted. */
type Wrappers = readonly [string, ...string[]]
type Values = Record<string, unknown>

const missingText = ({ missing = 'is required' }: Field) => missing

const isBlank = (sent: unknown) => sent === null || (typeof sent === 'string' && sent.trim() === '')

/** The value of a field that was sent, or a FieldError. */
function decodeField(field: Field, sent: unknown, zone: string): unknown {
  if (field.access.required && isBlank(sent) && !(field.mayBeEmpty && sent === '')) return new FieldError(missingText(field))
  if (sent === null) return field.nullable ? null : new FieldError('must not be null')
  return field.decode(sent, zone)
}

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

function unwrap(body: unknown, wrappers: Wrappers): Values {
  for (const wrapper of wrappers) {
    const sent = isObject(body) && Object.hasOwn(body, wrapper) ? body[wrapper] : undefined
    if (isObject(sent)) return sent
  }
  throw invalid({ [wrappers[0]]: 'is required' })
}

/** The result of `bodyParser`. */
export interface ReadBody {
  readonly values: Values
  /** The fields before decoding, by their names on the wire. */
  readonly sent: Values
  readonly wrong: Readonly<Record<string, string>>
}

/**
 * Returns a function that decodes a wrapped body to values by their camelCase names, and a text for each invalid field. Unknown fields are ignored. In a
 * `partial` body required fields may be missing, but not blank. Values sent `elsewhere` (in the query) are used for fields that the body lacks; one that is
 * repeated there is invalid.
 * @throws AppError `invalid` where the wrapper is missing
 */
export function bodyParser(wrappers: Wrappers, fields: Fields, { partial = false } = {}) {
  const inputs = Object.entries(fields).map(([wire, field]) => ({ wire, name: camel(wire), field }))
  return (body: unknown, zone: string, elsewhere: Values = {}): ReadBody => {
    const sent: Values = { ...elsewhere, ...unwrap(body, wrappers) }
    const values: Values = {}
    const wrong: Record<string, string> = {}
    for (const { wire, name, field } of inputs) {
      if (Object.hasOwn(sent, wire)) {
        const value = decodeField(field, sent[wire], zone)
        if (value instanceof FieldError) wrong[wire] = value.text
        else values[name] = value
      } else if (field.access.required && !partial) wrong[wire] = missingText(field)
    }
    for (const [wire, given] of Object.entries(elsewhere)) if (Array.isArray(given)) wrong[wire] = 'must be given once'
    return { values, sent, wrong }
  }
}

/**
 * As `bodyParser`, but returns the values alone.
 * @throws AppError `invalid` with a text for each invalid field
 */
export function bodyReader(...parsed: Parameters<typeof bodyParser>) {
  const parse = bodyParser(...parsed)
  return (...sent: Parameters<typeof parse>): Values => {
    const { values, wrong } = parse(...sent)
    if (Object.keys(wrong).length > 0) throw invalid({ ...wrong })
    return values
  }
}
