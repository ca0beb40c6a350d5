import { randomBytes } from 'node:crypto'

/** A secret as the Standard Webhooks specification writes it: 32 random bytes (it asks for 24 to 64). */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** For how long a secret that was replaced signs as well. */
export const overlapMs = 24 * 3_600_000
