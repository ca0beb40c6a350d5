import { randomUUID } from 'node:crypto'

/** The id that came with a request, or a new one when there is none that is fit for a header and a log. */
export const requestIdFrom = (given: unknown): string => (typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : randomUUID())
