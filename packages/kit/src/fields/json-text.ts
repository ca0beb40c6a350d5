import { visit } from 'jsonc-parser'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { FieldError } from './field.js'
import { type Kind, kind } from './kind.js'
import { decodeText } from './text.js'
import { textual } from './textual.js'

interface JsonTextOptions<Value> {
  /** Maximum size in UTF-8, in bytes; 64 KiB by default. */
  maxBytes?: number
  /** Maximum depth of nested arrays and objects; 10 by default. */
  maxDepth?: number
  /** A further check of a value that matches the schema. Returns the error, beginning with `must`, or undefined. */
  refuse?: (value: Value) => string | undefined
}

/**
 * JSON in a string (RFC 8259), which is validated, and stored and shown byte for byte as it was sent. Duplicate names in an object (RFC 7493 2.3), the name
 * `__proto__`, and texts that PostgreSQL could not store are refused.
 * @param schema what the value must match; errors name the place by its JSON Pointer (RFC 6901)
 */
export function jsonText<const Schema extends TSchema>(schema: Schema, options: JsonTextOptions<Static<Schema>> = {}) {
  const { maxBytes = 65_536, maxDepth = defaultDepth, refuse } = options
  const compiled = Compile(schema)
  const wrong = (text: string): string | undefined => {
    if (Buffer.byteLength(text) > maxBytes) return `must be at most ${maxBytes} bytes`
    const value = parse(text)
    if (value === undefined) return 'must be valid JSON'
    // Checked first, because the checks below recurse.
    if (isDeeper(value, maxDepth)) return tooDeep(maxDepth).text
    if (!compiled.Check(value)) return `must match its schema: ${deepest(compiled.Errors(value))}`
    return wrongInParts(text) ?? refuse?.(value)
  }
  const document = { contentMediaType: 'application/json', contentSchema: schema }
  return textual(document, (text) => {
    const problem = wrong(text)
    return problem === undefined ? text : new FieldError(problem)
  })
}

/**
 * The same checks for embedded JSON: on the wire it is a JSON value within the record, and in TypeScript its text without whitespace. A string that is sent is
 * parsed as the text of the value.
 */
export function jsonValue<const Schema extends TSchema>(schema: Schema, options: JsonTextOptions<Static<Schema>> = {}): Kind<string> {
  const text = jsonText(schema, options)
  const { maxDepth = defaultDepth } = options
  const document = { ...(schema as object) }
  return kind<string>({
    sql: 'text',
    input: document,
    output: document,
    decode(wire, zone) {
      // Checked first, because JSON.stringify recurses, and overflows the stack at some thousand levels.
      if (isDeeper(wire, maxDepth)) return tooDeep(maxDepth)
      const decoded = text.decode(typeof wire === 'string' ? wire : JSON.stringify(wire), zone)
      return decoded instanceof FieldError ? decoded : JSON.stringify(JSON.parse(decoded))
    },
    encode: (value) => JSON.parse(value),
    transcode: (value) => value,
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const defaultDepth = 10

const tooDeep = (levels: number) => new FieldError(`must be at most ${levels} levels deep`)

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)))

/** The deepest error: of the errors of a union, it belongs to the alternative that was meant. */
function deepest(errors: readonly TLocalizedValidationError[]): string {
  const [{ instancePath, keyword, message }] = errors.toSorted((a, b) => depthOf(b) - depthOf(a)) as [TLocalizedValidationError]
  return `${instancePath} ${keyword === 'boolean' ? 'is not allowed' : message}`.trim()
}

const depthOf = ({ instancePath }: TLocalizedValidationError) => instancePath.split('/').length

/** Checks each name and each string in valid JSON. It needs the text, because parsing drops duplicate names. */
function wrongInParts(json: string): string | undefined {
  const names: Set<string>[] = []
  let wrong: string | undefined
  const look = (part: unknown) => {
    const decoded = typeof part === 'string' ? decodeText(part) : part
    if (decoded instanceof FieldError) wrong ??= decoded.text
  }
  visit(json, {
    onObjectBegin: () => void names.push(new Set()),
    onObjectEnd: () => void names.pop(),
    onObjectProperty(name) {
      look(name)
      if (name === '__proto__') wrong ??= 'must not contain the name __proto__'
      if (names.at(-1)?.has(name)) wrong ??= `must not contain the name ${JSON.stringify(name)} twice`
      names.at(-1)?.add(name)
    },
    onLiteralValue: look,
  })
  return wrong
}
