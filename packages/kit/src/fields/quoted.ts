/** The JSON string of a text in which nothing must be escaped, such as digits or a date. */
export const quoted = (text: string) => `"${text}"`
