import { randomUUID } from 'node:crypto'

/** `given` where it is a valid request id (1 to 128 letters, digits, `_`, `.`, `-`), otherwise a new one. */
export const requestIdFrom = (given: unknown): string => (typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID())
