/** A text without NUL, which PostgreSQL keeps in no text. */
export const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD')
