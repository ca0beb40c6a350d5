import { Wrong } from './field.js'

/** Text that PostgreSQL can store (no NUL) and that JSON should carry (RFC 8259 8.2), or why it is neither. */
export function decodeText(wire: unknown): string | Wrong {
  if (typeof wire !== 'string') return new Wrong('must be text')
  if (wire.includes('\0')) return new Wrong('must not contain NUL characters')
  if (!wire.isWellFormed()) return new Wrong('must be well-formed Unicode')
  return wire
}

/** In code points, as PostgreSQL and JSON Schema count. */
export const lengthOf = (value: string) => [...value].length
