/** The JSON text of a text that has nothing to escape: digits, a date. */
export const quoted = (text: string) => `"${text}"`
