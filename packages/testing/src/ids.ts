import { randomInt } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'

/** An id that no other test uses and no table has: above what a sequence reaches, below 2^53. */
export const randomId = (): Id => 2n ** 52n + BigInt(randomInt(2 ** 47))
