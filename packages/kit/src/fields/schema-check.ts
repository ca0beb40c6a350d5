import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'

// Report all errors. The default of TypeBox is 8.
Settings.Set({ maxErrors: 1000 })

/**
 * Compiles a TypeBox schema to a function that validates values: nothing is coerced, defaulted or removed. It returns a text for each error by the path of its
 * place (`options.0.value`; `root` for the value itself), and an empty object where the value matches.
 */
export function schemaCheck(schema: TSchema): (value: unknown, root: string) => Record<string, string> {
  const compiled = Compile(schema)
  return (value, root) => (compiled.Check(value) ? {} : textsOf(compiled.Errors(value), root))
}

/** A later error replaces an earlier one of the same place. */
function textsOf(errors: readonly TLocalizedValidationError[], root: string): Record<string, string> {
  const texts = new Map<string, string>()
  for (const { instancePath, keyword, params, message } of errors) {
    const path = instancePath.split('/').slice(1)
    const named = namesIn(keyword, params)
    if (!named) texts.set(path.join('.') || root, textOf(keyword, params, message))
    for (const [name, text] of named ?? []) texts.set([...path, name].join('.'), text)
  }
  return Object.fromEntries(texts)
}

/** The properties that an error of an object names, each with its text; undefined for an error of the value itself. */
function namesIn(keyword: string, params: object): [name: string, text: string][] | undefined {
  const { requiredProperties, additionalProperties } = params as { requiredProperties: string[]; additionalProperties: string[] }
  if (keyword === 'required') return requiredProperties.map((name) => [name, 'is required'])
  return keyword === 'additionalProperties' ? additionalProperties.map((name) => [name, 'is unknown']) : undefined
}

function textOf(keyword: string, params: object, message: string): string {
  const { limit, allowedValues } = params as { limit?: number; allowedValues?: unknown[] }
  if (keyword === 'maxLength') return `must be at most ${limit} characters`
  if (keyword === 'minLength') return limit === 1 ? 'must not be empty' : `must be at least ${limit} characters`
  if (keyword === 'enum') return `must be one of ${allowedValues?.join(', ')}`
  return message
}
