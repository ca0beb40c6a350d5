import { randomBytes } from 'node:crypto'

/** A new secret in the form of the Standard Webhooks specification, with 32 random bytes (24 to 64 are allowed). */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** How long requests are also signed with the replaced secret. */
export const overlapMs = 24 * 3_600_000
