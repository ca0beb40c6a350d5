import type { FastifySchemaCompiler } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import { invalid, notFound } from '../../errors/index.js'
import { decodeText, FieldError, schemaCheck } from '../../fields/index.js'

type Validator = (value: unknown) => { value: unknown } | { error: Error }

/**
 * The validator of plain routes, by their TypeBox schemas. Nothing is coerced, defaulted or removed, and text that PostgreSQL cannot store is refused
 * anywhere in the value. An invalid path parameter is 404, because it names no record.
 */
export const compilePlainSchema: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'body' }): Validator => {
  const check = schemaCheck(schema)
  return (value) => {
    const misfits = check(value, httpPart)
    const wrong = isEmpty(misfits)
      ? unstorable(value)
      : { ...misfits, ...(httpPart === 'querystring' && repeated(value as object, schema as TObject)) }
    if (isEmpty(wrong)) return { value }
    return { error: httpPart === 'params' ? notFound() : invalid(wrong) }
  }
}

/** A text for each query parameter that is given more than once. The schema refuses an array as well, but less clearly. */
const repeated = (query: object, { properties }: TObject): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, sent]) =>
      Array.isArray(sent) && Object.hasOwn(properties, name) ? [[name, 'must be given once']] : [],
    ),
  )

const isEmpty = (texts: Record<string, string>) => Object.keys(texts).length === 0

/** A text for each string that PostgreSQL cannot store; names of properties are checked, too. Without recursion, because a body may be nested arbitrarily. */
function unstorable(value: unknown): Record<string, string> {
  const wrong = new Map<string, string>()
  const look = (name: string, text: string) => {
    const decoded = decodeText(text)
    if (decoded instanceof FieldError) wrong.set(name, decoded.text)
  }
  const open: [name: string, value: unknown][] = [['body', value]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [name, value] = next
    if (typeof value === 'string') look(name, value)
    if (typeof value !== 'object' || value === null) continue
    for (const entry of Object.entries(value)) {
      look(name, entry[0])
      open.push(entry)
    }
  }
  return Object.fromEntries(wrong)
}
