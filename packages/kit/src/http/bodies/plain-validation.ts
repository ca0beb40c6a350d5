import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { invalid } from '../../errors/index.js'
import { decodeText, FieldError } from '../../fields/index.js'

// Every wrong field is named, not the first eight.
Settings.Set({ maxErrors: 1000 })

type Validator = (value: unknown) => { value: unknown } | { error: Error }

/**
 * The validator of plain routes: their TypeBox schemas as they stand. Nothing is coerced, filled in or taken away, and text that
 * could not be stored is refused wherever it stands.
 */
export const compilePlainSchema: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = 'body' }): Validator => {
  const compiled = Compile(schema)
  return (value) => {
    const wrong = compiled.Check(value) ? unstorable(value) : textsOf(compiled.Errors(value), httpPart)
    return Object.keys(wrong).length > 0 ? { error: invalid(wrong) } : { value }
  }
}

/** By the path of each value; the deepest error of a union is the one that helps. */
function textsOf(errors: readonly TLocalizedValidationError[], httpPart: string): Record<string, string> {
  const texts = new Map<string, string>()
  for (const { instancePath, keyword, params, message } of errors) {
    const path = instancePath.split('/').slice(1)
    const missing = keyword === 'required' ? (params as { requiredProperties: string[] }).requiredProperties : undefined
    for (const name of missing ?? []) texts.set([...path, name].join('.'), 'is required')
    if (!missing) texts.set(path.join('.') || httpPart, textOf(keyword, params, message))
  }
  return Object.fromEntries(texts)
}

function textOf(keyword: string, params: object, message: string): string {
  const { limit, allowedValues } = params as { limit?: number; allowedValues?: unknown[] }
  if (keyword === 'maxLength') return `must be at most ${limit} characters`
  if (keyword === 'minLength') return limit === 1 ? 'must not be empty' : `must be at least ${limit} characters`
  if (keyword === 'enum') return `must be one of ${allowedValues?.join(', ')}`
  return message
}

/** Names of properties are stored with the value that has them. Walks without recursion: a body may be as deep as it is long. */
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
