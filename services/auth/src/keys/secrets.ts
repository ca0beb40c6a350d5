import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { ConfigError } from '@caseway/kit/config'

/**
 * What the service's secret is used for; each use has a key of its own (HKDF, RFC 5869). What the previous secrets have made is still read;
 * only the present one makes anything new.
 */
export interface Secrets {
  /** AES-256-GCM; `identity` is bound to the text, so that no row can stand in for another. */
  seal(plain: Buffer, identity: string): Buffer<ArrayBuffer>
  /** @throws when it was sealed for another identity or with a secret that is not known */
  open(sealed: Uint8Array, identity: string): Buffer
  /** Whether it was sealed with the present secret. */
  isCurrent(sealed: Uint8Array): boolean
  /** The refresh token that follows another; after the first, those that the previous secrets would have made. */
  successors(refreshToken: string): readonly [string, ...string[]]
  /** What is kept of an address of a sign-in; after the first, what the previous secrets would have made of it. */
  fingerprints(address: string): readonly [Buffer<ArrayBuffer>, ...Buffer<ArrayBuffer>[]]
}

const ivBytes = 12
const tagBytes = 16

/**
 * @param secret 32 random bytes in base64
 * @param previous secrets that were used before, or that another copy of the service uses already
 */
export function createSecrets(secret: string, previous: readonly string[] = []): Secrets {
  const current = derivedKeys(secret, 'AUTH_SECRET')
  const others = previous.map((each) => derivedKeys(each, 'Each of AUTH_SECRET_PREVIOUS'))
  const of = (sealed: Uint8Array) => [current, ...others].find(({ keyId }) => keyId.equals(sealed.subarray(0, keyId.length)))

  return {
    seal(plain, identity) {
      const { keyId, sealing } = current
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(identity))
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([keyId, iv, cipher.getAuthTag(), text])
    },

    open(sealed, identity) {
      const keys = of(sealed)
      if (!keys) throw new ConfigError(['AUTH_SECRET is not the one that the keys of this database were sealed with.'])
      const [iv, tag, text] = cut(Buffer.from(sealed).subarray(keys.keyId.length), ivBytes, tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', keys.sealing, iv).setAAD(Buffer.from(identity)).setAuthTag(tag)
      return Buffer.concat([decipher.update(text), decipher.final()])
    },

    isCurrent: (sealed) => of(sealed) === current,

    successors(refreshToken) {
      const after = ({ succession }: DerivedKeys) => createHmac('sha256', succession).update(refreshToken).digest('base64url')
      return [after(current), ...others.map(after)]
    },

    fingerprints(address) {
      const of = ({ addresses }: DerivedKeys) => createHmac('sha256', addresses).update(address).digest()
      return [of(current), ...others.map(of)]
    },
  }
}

type DerivedKeys = ReturnType<typeof derivedKeys>

function derivedKeys(secret: string, name: string) {
  const master = Buffer.from(secret, 'base64')
  if (master.length < 32) throw new ConfigError([`${name} must be 32 random bytes in base64.`])
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', master, '', use, 32))
  return {
    sealing: derive('caseway/auth/signing-keys'),
    succession: derive('caseway/auth/refresh-tokens'),
    addresses: derive('caseway/auth/known-addresses'),
    // Names the secret, so that a later one recognises what it did not seal.
    keyId: derive('caseway/auth/key-id').subarray(0, 4),
  }
}

const cut = (blob: Buffer, first: number, second: number) =>
  [blob.subarray(0, first), blob.subarray(first, first + second), blob.subarray(first + second)] as const
