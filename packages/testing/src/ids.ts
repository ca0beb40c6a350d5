import { randomInt } from 'node:crypto'
import type { Id } from '@caseway/kit/caller'

/** A random id that no table contains: above the range of sequences, below 2^53. */
export const randomId = (): Id => 2n ** 52n + BigInt(randomInt(2 ** 47))
