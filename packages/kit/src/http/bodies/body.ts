import { invalid } from '../../errors/index.js'
import { type Field, FieldError, type Fields } from '../../fields/index.js'
import { camel } from '../../resource/index.js'

/** The wrapper of a body, followed by other names of it that old callers use. */
type Wrappers = readonly [string, ...string[]]
type Values = Record<string, unknown>

const missingText = ({ missing = 'is required' }: Field) => missing

/** What was sent for a field, or why it is refused. */
function decodeField(field: Field, sent: unknown, zone: string): unknown {
  if (field.access.required && (sent === null || (typeof sent === 'string' && sent.trim() === '')))
    return new FieldError(missingText(field))
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

/** The decoded fields of a body, and a text for each invalid one. */
export interface ReadBody {
  readonly values: Values
  /** What was sent, as it came. */
  readonly sent: Values
  readonly wrong: Readonly<Record<string, string>>
}

/**
 * Reads wrapped bodies of `fields`: the values by their camelCase names. Unknown fields are ignored. In a `partial` body, required
 * fields may be missing, but not be blank. A value that was sent `elsewhere` (in the query) is used for a field that the body lacks, and may be given once.
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
 * The values of a body as `bodyParser` reads it.
 * @throws AppError `invalid` with every wrong field
 */
export function bodyReader(...parsed: Parameters<typeof bodyParser>) {
  const parse = bodyParser(...parsed)
  return (...sent: Parameters<typeof parse>): Values => {
    const { values, wrong } = parse(...sent)
    if (Object.keys(wrong).length > 0) throw invalid({ ...wrong })
    return values
  }
}
