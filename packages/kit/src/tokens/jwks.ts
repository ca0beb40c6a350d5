import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'

const minModulusBits = 2048

/**
 * The keys of a JWK Set (RFC 7517 5) that can verify RS256, by their `kid`. Other keys are ignored, as the RFC demands.
 * @throws Error where `body` is not a JWK Set, or has no usable key
 */
export function readJwks(body: unknown): Map<string, KeyObject> {
  const listed = (body as { keys?: unknown } | null)?.keys
  if (!Array.isArray(listed)) throw new Error('not a JWK Set')
  const usable = listed.flatMap((jwk: JsonWebKey) => {
    const key = verificationKey(jwk)
    return key && typeof jwk.kid === 'string' ? [[jwk.kid, key] as const] : []
  })
  if (usable.length === 0) throw new Error('a JWK Set without a key for RS256')
  return new Map(usable)
}

function verificationKey(jwk: JsonWebKey): KeyObject | undefined {
  if (jwk?.kty !== 'RSA' || (jwk.use ?? 'sig') !== 'sig' || (jwk.alg ?? 'RS256') !== 'RS256') return undefined
  try {
    // Only the public part is read, in case a private key was published by mistake.
    const key = createPublicKey({ key: { kty: 'RSA', n: jwk.n, e: jwk.e }, format: 'jwk' })
    return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= minModulusBits ? key : undefined
  } catch {
    return undefined
  }
}
