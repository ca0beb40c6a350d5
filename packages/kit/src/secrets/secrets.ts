import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { prefixOf } from '@caseway/registry/names'
import { ConfigError, secretExpected, secretOf } from '../config/index.js'

/** Encrypts the values of a column (AES-256-GCM, NIST SP 800-38D). Values that a previous secret has sealed can still be opened. */
export interface Sealer {
  /** @param identity of the row: additional authenticated data, so that a value cannot be moved to another row */
  seal(plain: Buffer, identity: string): Buffer<ArrayBuffer>
  /** Whether the present or a previous secret has sealed the value. Does not check the identity. */
  knows(sealed: Uint8Array): boolean
  /**
   * @throws ConfigError where neither the present nor a previous secret has sealed it
   * @throws Error where it was sealed for another identity, or altered
   */
  open(sealed: Uint8Array, identity: string): Buffer
  /** Seals the value with the present secret; undefined where it is already. Throws as `open`. */
  reseal(sealed: Uint8Array, identity: string): Buffer<ArrayBuffer> | undefined
}

/** The HMAC-SHA-256 of a text (32 bytes): by the present secret first, then by each previous one. */
export type Digests = (text: string) => readonly [Buffer<ArrayBuffer>, ...Buffer<ArrayBuffer>[]]

/** Keys that are derived from the secret of a service (HKDF, RFC 5869), one for each name `use`. */
export interface Secrets {
  sealer(use: string): Sealer
  digests(use: string): Digests
}

interface SecretValues {
  /** 32 random bytes in base64. */
  readonly secret: string
  /** The secret before a rotation, or the new one, which other copies of the service use already. */
  readonly secretPrevious: readonly string[]
}

const ivBytes = 12
const tagBytes = 16

/**
 * Derives keys from the secret of a service (HKDF with SHA-256, RFC 5869), one for each use.
 * @param service its name, which is part of the derivation, so that services do not share keys
 * @throws ConfigError where a secret is shorter than 32 bytes
 */
export function createSecrets(service: string, { secret, secretPrevious }: SecretValues): Secrets {
  const variable = `${prefixOf(service)}_SECRET`
  const deriver = (base64: string, name: string) => {
    if (secretOf(base64) === undefined) throw new ConfigError([`${name} must be ${secretExpected}.`])
    const master = Buffer.from(base64, 'base64')
    return (use: string) => Buffer.from(hkdfSync('sha256', master, '', `caseway/${service}/${use}`, 32))
  }
  const present = deriver(secret, variable)
  const previous = secretPrevious.map((each) => deriver(each, `Each of ${variable}_PREVIOUS`))

  return {
    sealer(use) {
      // The id identifies the secret, and is stored with each value, so that the key to open it is known.
      const keyOf = (derive: typeof present) => ({ id: derive('key-id').subarray(0, 4), key: derive(use) })
      const current = keyOf(present)
      const keys = [current, ...previous.map(keyOf)]
      const find = (sealed: Uint8Array) => keys.find(({ id }) => id.equals(sealed.subarray(0, id.length)))
      const keyFor = (sealed: Uint8Array) => {
        const found = find(sealed)
        if (!found) throw new ConfigError([`${variable} is not the secret that sealed the ${use} of this database.`])
        return found
      }

      const seal: Sealer['seal'] = (plain, identity) => {
        const iv = randomBytes(ivBytes)
        const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(identity))
        const text = Buffer.concat([cipher.update(plain), cipher.final()])
        return Buffer.concat([current.id, iv, cipher.getAuthTag(), text])
      }
      const open: Sealer['open'] = (sealed, identity) => {
        const { id, key } = keyFor(sealed)
        const [iv, tag, text] = cut(Buffer.from(sealed).subarray(id.length), ivBytes, tagBytes)
        const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(identity)).setAuthTag(tag)
        return Buffer.concat([decipher.update(text), decipher.final()])
      }
      const reseal: Sealer['reseal'] = (sealed, identity) =>
        keyFor(sealed) === current ? undefined : seal(open(sealed, identity), identity)
      return { seal, knows: (sealed) => find(sealed) !== undefined, open, reseal }
    },

    digests(use) {
      const keys = previous.map((derive) => derive(use))
      const current = present(use)
      const digest = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
      return (text) => [digest(current, text), ...keys.map((key) => digest(key, text))]
    },
  }
}

const cut = (blob: Buffer, first: number, second: number) =>
  [blob.subarray(0, first), blob.subarray(first, first + second), blob.subarray(first + second)] as const
