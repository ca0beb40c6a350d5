import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'

// Every wrong place is named, not the first eight.
Settings.Set({ maxErrors: 1000 })

/**
 * Compiles a schema of TypeBox to a check of values, as they stand: nothing is coerced, filled in or taken away. The check gives a text for each
 * wrong place by its path (`options.0.value`), with `root` for the value itself; nothing where the value matches.
 */
export function schemaCheck(schema: TSchema): (value: unknown, root: string) => Record<string, string> {
  const compiled = Compile(schema)
  return (value, root) => (compiled.Check(value) ? {} : textsOf(compiled.Errors(value), root))
}

/** The deepest error of a union is the one that helps. */
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

/** The properties that an error about their object names, and what is wrong with each of them. */
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
