import { FieldError } from './field.js'

/** `wire` itself where it is a string that PostgreSQL can store (no NUL) and that is well-formed Unicode (RFC 8259 8.2). */
export function decodeText(wire: unknown): string | FieldError {
  if (typeof wire !== 'string') return new FieldError('must be text')
  if (wire.includes('\0')) return new FieldError('must not contain NUL characters')
  if (!wire.isWellFormed()) return new FieldError('must be well-formed Unicode')
  return wire
}

/** Line and paragraph separators, and the embeddings, overrides and isolates of text direction (Unicode Technical Report 36, 2.1.2). */
const separatorsAndDirections = '\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069'
const notInLine = new RegExp(`[\\p{Cc}${separatorsAndDirections}]`, 'u')
const notInParagraph = new RegExp(`\\r(?!\\n)|[^\\P{Cc}\\t\\n\\r]|[${separatorsAndDirections}]`, 'u')

/** The error where `text` has control characters, line breaks or direction changes, so that it is unsafe in a header or a list; otherwise undefined. */
export const wrongInLine = (text: string): FieldError | undefined =>
  notInLine.test(text) ? new FieldError('must be one line without control characters') : undefined

/** The same for text of several lines: line breaks (LF, CR LF) and tabs are allowed. */
export const wrongInParagraph = (text: string): FieldError | undefined =>
  notInParagraph.test(text) ? new FieldError('must not contain control characters other than line breaks and tabs') : undefined

/** The length in code points, as PostgreSQL and JSON Schema count. */
export const lengthOf = (value: string) => [...value].length
