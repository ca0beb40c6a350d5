/** In characters, of the text that is kept of a message, and of its HTML. */
export const textCharacters = 1_000_000

/** As PostgreSQL stores it: without NUL, and without half of a surrogate pair. */
export const clean = (text: string | undefined | null): string => (text ?? '').toWellFormed().replaceAll('\0', '\u{FFFD}')

/** A byte order mark stands where a part begins, which is at the beginning of a line. */
export const bounded = (text: string | undefined | false) => clean((text || '').slice(0, textCharacters).replace(/^\uFEFF/gm, ''))

/** Of a message: without its brackets. */
export const identifier = (text: string | undefined | null) => clean(text).trim().replace(/^<|>$/g, '') || null

/** Those in brackets; where there are none, words with an @: old programs write sentences beside an id, or no brackets. */
export function identifiers(text: string): string[] {
  const bracketed = [...text.matchAll(/<([^<>\s]+)>/g)].flatMap(([, id]) => id ?? [])
  return bracketed.length > 0 ? bracketed : text.split(/[<>()",;\s]+/).filter((word) => word.includes('@'))
}
