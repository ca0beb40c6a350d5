import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { defineConfig } from '../config/index.js'
import { createSecrets, secretVariables } from './index.js'

const random = () => randomBytes(32).toString('base64')
const secret = random()
const secretsOf = (secret: string, ...secretPrevious: string[]) => createSecrets('auth', { secret, secretPrevious })
const sealerOf = (...secrets: [string, ...string[]]) => secretsOf(...secrets).sealer('keys')
const digestsOf = (...secrets: [string, ...string[]]) => secretsOf(...secrets).digests('addresses')
const fixed = Buffer.alloc(32, 7).toString('base64')
const plain = Buffer.from('a private key')
const sealer = sealerOf(secret)

describe('what is sealed', () => {
  it('opens with the same secret, for the same identity', () => {
    expect(sealerOf(secret).open(sealer.seal(plain, 'one'), 'one')).toEqual(plain)
  })

  it('is different each time, and does not contain the plain text', () => {
    const [one, other] = [sealer.seal(plain, 'one'), sealer.seal(plain, 'one')]
    expect(one.equals(other)).toBe(false)
    expect(one.includes(plain)).toBe(false)
  })

  it('does not open for another identity, use or service, nor when a bit of it was changed', () => {
    const sealed = sealer.seal(plain, 'one')
    expect(() => sealer.open(sealed, 'other')).toThrow()
    expect(() => secretsOf(secret).sealer('tokens').open(sealed, 'one')).toThrow()
    expect(() => createSecrets('mail', { secret, secretPrevious: [] }).sealer('keys').open(sealed, 'one')).toThrow()
    for (const at of [5, 20, sealed.length - 1]) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] as number) ^ 1
      expect(() => sealer.open(changed, 'one')).toThrow()
    }
  })

  it('is refused with a clear error where another secret has sealed it', () => {
    const problem = 'AUTH_SECRET is not the secret that sealed the keys of this database.'
    const sealed = sealer.seal(plain, 'one')
    expect(() => sealerOf(random()).open(sealed, 'one')).toThrow(problem)
    expect(() => sealerOf(random()).reseal(sealed, 'one')).toThrow(problem)
  })

  it('opens as it was sealed by an earlier build', () => {
    const kept = Buffer.from('JyONfZ4SNdoUYfv0veu76fJIHJrdn0PRtUf3DplGwOaxK1NPK/c1SBFNMp19', 'base64')
    expect(secretsOf(fixed).sealer('signing-keys').open(kept, 'one')).toEqual(plain)
  })
})

describe('digests', () => {
  it('of a text are always the same, and depend on the secret and the use', () => {
    expect(digestsOf(secret)('a')).toEqual(digestsOf(secret)('a'))
    const others = [digestsOf(secret)('b'), digestsOf(random())('a'), secretsOf(secret).digests('tokens')('a')]
    for (const other of others) expect(digestsOf(secret)('a')).not.toEqual(other)
    expect(secretsOf(fixed).digests('refresh-tokens')('a')[0].toString('base64url')).toBe('g_CRn718Q9-yq87uGVnWkImwYNVd1iSWQl-ezeywY7o')
  })
})

describe('while the secret is replaced', () => {
  const next = random()
  const rotating = sealerOf(next, secret)

  it('values of the previous secret are opened, and new ones are sealed with the present one', () => {
    expect(rotating.open(sealer.seal(plain, 'one'), 'one')).toEqual(plain)
    expect(sealerOf(next).open(rotating.seal(plain, 'one'), 'one')).toEqual(plain)
  })

  it('values of the previous secret are resealed for the same identity, and no others', () => {
    const resealed = rotating.reseal(sealer.seal(plain, 'one'), 'one')
    expect(sealerOf(next).open(resealed ?? Buffer.of(), 'one')).toEqual(plain)
    expect(rotating.reseal(resealed ?? Buffer.of(), 'one')).toBeUndefined()
    expect(() => rotating.reseal(sealer.seal(plain, 'one'), 'other')).toThrow()
  })

  it('the digest of the previous secret follows that of the present one', () => {
    expect(digestsOf(next, secret)('a')).toEqual([...digestsOf(next)('a'), ...digestsOf(secret)('a')])
  })
})

it.each(['', 'short', Buffer.alloc(31).toString('base64')])('%j is too short a secret', (short) => {
  expect(() => secretsOf(short)).toThrow('AUTH_SECRET must be 32 random bytes in base64.')
  expect(() => secretsOf(secret, short)).toThrow('Each of AUTH_SECRET_PREVIOUS must be 32 random bytes in base64.')
})

it('secrets that are too short are reported with the other variables', () => {
  const config = defineConfig('AUTH', secretVariables('seals'))
  const short = Buffer.alloc(31).toString('base64')
  expect(config.read({ AUTH_SECRET: fixed, AUTH_SECRET_PREVIOUS: `${secret},${fixed}` }).secretPrevious).toEqual([secret, fixed])
  expect(() => config.read({ AUTH_SECRET: short, AUTH_SECRET_PREVIOUS: `${fixed},${short}` })).toThrow(
    'AUTH_SECRET must be 32 random bytes in base64.\n  - AUTH_SECRET_PREVIOUS must be 32 random bytes in base64 each, separated by commas.',
  )
})
