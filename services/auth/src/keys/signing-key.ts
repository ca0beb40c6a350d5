import { createPrivateKey, createPublicKey, generateKeyPair, type JsonWebKey, type KeyObject, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'

/** A key that signs access tokens (RS256) from `signsFrom` on, and verifies them until `expires`. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly signsFrom: Date
  readonly expires: Date | null
}

/** A new key is published this long before it signs, so that verifiers have it in time. */
export const publishedAheadMs = 10 * 60_000

const generate = promisify(generateKeyPair)

export async function generateSigningKey(signsFrom: Date): Promise<SigningKey> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 })
  return { kid: randomUUID(), privateKey, publicKey, signsFrom, expires: null }
}

/** The public half of a key, as a JWK (RFC 7517 4). */
export const jwkOf = ({ kid, publicKey }: Pick<SigningKey, 'kid' | 'publicKey'>): JsonWebKey & { kid: string } => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  use: 'sig',
  alg: 'RS256',
})

export const exportPrivate = ({ privateKey }: SigningKey) => privateKey.export({ type: 'pkcs8', format: 'der' })

export function importPrivate(der: Buffer): Pick<SigningKey, 'privateKey' | 'publicKey'> {
  const privateKey = createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** The key that signs now: the one with the latest `signsFrom` that has passed. Undefined if there is none. */
export const currentKey = (keys: readonly SigningKey[], now: Date): SigningKey | undefined =>
  keys.filter(({ signsFrom }) => signsFrom <= now).sort((one, other) => Number(other.signsFrom) - Number(one.signsFrom))[0]

/** Whether it is time for a new key: there is none, or the newest has signed for the rotation period. */
export const isDue = (keys: readonly SigningKey[], now: Date, rotationMs: number): boolean =>
  keys.every(({ signsFrom }) => Number(signsFrom) + rotationMs <= Number(now))
