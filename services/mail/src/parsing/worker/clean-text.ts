/** The most characters of the text that is kept of a message, and of its HTML. */
export const textCharacters = 1_000_000

/** Replaces what PostgreSQL does not store: NUL and lone surrogates. */
export const clean = (text: string | undefined | null): string => (text ?? '').toWellFormed().replaceAll('\0', '\u{FFFD}')

/** Cuts and cleans a text. Byte order marks at the beginning of parts, and so of lines, are removed. */
export const bounded = (text: string | undefined | false) => clean((text || '').slice(0, textCharacters).replace(/^\uFEFF/gm, ''))

/** A Message-ID without its angle brackets; null for an empty one. */
export const identifier = (text: string | undefined | null) => clean(text).trim().replace(/^<|>$/g, '') || null

/**
 * The Message-IDs in a header: texts in angle brackets, or, where there are none, words with an @. Old programs write sentences beside an id, or no
 * brackets.
 */
export function identifiers(text: string): string[] {
  const bracketed = [...text.matchAll(/<([^<>\s]+)>/g)].flatMap(([, id]) => id ?? [])
  return bracketed.length > 0 ? bracketed : text.split(/[<>()",;\s]+/).filter((word) => word.includes('@'))
}
