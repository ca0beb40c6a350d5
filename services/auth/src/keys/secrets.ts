import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { ConfigError } from '@caseway/kit/config'

/** What the service's secret is used for; each use has a key of its own (HKDF, RFC 5869). */
export interface Secrets {
  /** AES-256-GCM; `identity` is bound to the text, so that no row can stand in for another. */
  seal(plain: Buffer, identity: string): Buffer<ArrayBuffer>
  /** @throws when it was sealed for another identity or with another secret */
  open(sealed: Uint8Array, identity: string): Buffer
  /** The one refresh token that follows another. */
  successor(refreshToken: string): string
}

const ivBytes = 12
const tagBytes = 16

/** @param secret 32 random bytes in base64 */
export function createSecrets(secret: string): Secrets {
  const master = Buffer.from(secret, 'base64')
  if (master.length < 32) throw new ConfigError(['AUTH_SECRET must be 32 random bytes in base64.'])
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', master, '', use, 32))
  const sealing = derive('caseway/auth/signing-keys')
  const succession = derive('caseway/auth/refresh-tokens')
  // Names the secret, so that a later one can tell what it did not seal.
  const keyId = derive('caseway/auth/key-id').subarray(0, 4)

  return {
    seal(plain, identity) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(identity))
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([keyId, iv, cipher.getAuthTag(), text])
    },

    open(sealed, identity) {
      const blob = Buffer.from(sealed)
      if (!blob.subarray(0, keyId.length).equals(keyId))
        throw new ConfigError(['AUTH_SECRET is not the one that the keys of this database were sealed with.'])
      const [iv, tag, text] = cut(blob.subarray(keyId.length), ivBytes, tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(identity)).setAuthTag(tag)
      return Buffer.concat([decipher.update(text), decipher.final()])
    },

    successor: (refreshToken) => createHmac('sha256', succession).update(refreshToken).digest('base64url'),
  }
}

const cut = (blob: Buffer, first: number, second: number) =>
  [blob.subarray(0, first), blob.subarray(first, first + second), blob.subarray(first + second)] as const
