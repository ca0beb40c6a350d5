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
  /** Maximum number of arrays and objects within each other; 10 by default. */
  maxDepth?: number
  /** Why a value that matches the schema is refused: a text that begins with `must`. */
  refuse?: (value: Value) => string | undefined
}

/**
 * JSON in a string (RFC 8259), checked and kept as it was sent, to the byte: whoever reads the value parses the text. Refused are names that
 * stand twice in an object (RFC 7493 2.3) or are `__proto__`, and texts that PostgreSQL could not store.
 * @param schema what the value must match; the error names the place by its JSON Pointer (RFC 6901)
 */
export function jsonText<const Schema extends TSchema>(schema: Schema, options: JsonTextOptions<Static<Schema>> = {}) {
  const { maxBytes = 65_536, maxDepth = defaultDepth, refuse } = options
  const compiled = Compile(schema)
  const wrong = (text: string): string | undefined => {
    if (Buffer.byteLength(text) > maxBytes) return `must be at most ${maxBytes} bytes`
    const value = parse(text)
    if (value === undefined) return 'must be valid JSON'
    // First: what follows walks the value recursively.
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
 * The same as a value: on the wire it is JSON within the JSON of the record, inside it is text without spaces. A string is taken for the text of
 * the value.
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
      // JSON.stringify goes as deep as the value, and has no room for thousands of levels.
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

/** The deepest error of a union is the one that helps. */
function deepest(errors: readonly TLocalizedValidationError[]): string {
  const [{ instancePath, keyword, message }] = errors.toSorted((a, b) => depthOf(b) - depthOf(a)) as [TLocalizedValidationError]
  return `${instancePath} ${keyword === 'boolean' ? 'is not allowed' : message}`.trim()
}

const depthOf = ({ instancePath }: TLocalizedValidationError) => instancePath.split('/').length

/** Looks at each name and each text of valid JSON, which a parsed value no longer tells apart. */
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
