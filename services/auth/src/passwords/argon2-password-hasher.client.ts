import { type Algorithm, hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import type { PasswordHasher } from './password-hasher.js'

const argon2id: Algorithm.Argon2id = 2
const settings = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * argon2id with 19 MiB and two passes (OWASP, Password Storage). It runs beside the event loop, `concurrency` at a time: more would
 * only take memory.
 */
export async function argon2PasswordHasher(concurrency: number): Promise<PasswordHasher> {
  const limit = pLimit(concurrency)
  const nobodys = await hash('nobody', settings)
  return {
    hash: (password) => limit(hash, password, settings),
    async matches(stored, password) {
      const right = await limit(verify, stored ?? nobodys, password)
      return right && stored !== null
    },
  }
}
