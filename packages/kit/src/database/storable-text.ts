/** Replaces NUL, which PostgreSQL cannot store in a text, by U+FFFD. */
export const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD')
