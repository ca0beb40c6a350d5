import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { createSecrets } from './secrets.js'

const secret = randomBytes(32).toString('base64')
const secrets = createSecrets(secret)
const others = createSecrets(randomBytes(32).toString('base64'))
const plain = Buffer.from('a private key')

describe('what is sealed', () => {
  it('opens with the same secret, for the same identity', () => {
    expect(createSecrets(secret).open(secrets.seal(plain, 'one'), 'one')).toEqual(plain)
  })

  it('is different each time, and does not hold what it seals', () => {
    const [one, other] = [secrets.seal(plain, 'one'), secrets.seal(plain, 'one')]
    expect(one.equals(other)).toBe(false)
    expect(one.includes(plain)).toBe(false)
  })

  it('does not open for another identity, nor when a bit of it was changed', () => {
    const sealed = secrets.seal(plain, 'one')
    expect(() => secrets.open(sealed, 'other')).toThrow()
    for (const at of [5, 20, sealed.length - 1]) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] as number) ^ 1
      expect(() => secrets.open(changed, 'one')).toThrow()
    }
  })

  it('with another secret says what is wrong', () => {
    expect(() => others.open(secrets.seal(plain, 'one'), 'one')).toThrow(/AUTH_SECRET is not the one/)
  })
})

it('a refresh token has one successor, which only the secret knows', () => {
  const successor = (token: string, { successors } = secrets) => successors(token)[0]
  expect(successor('a')).toBe(successor('a', createSecrets(secret)))
  expect(new Set([successor('a'), successor('b'), successor('a', others)]).size).toBe(3)
  expect(Buffer.from(successor('a'), 'base64url')).toHaveLength(32)
})

it('an address has one fingerprint, which only the secret knows', () => {
  expect(secrets.fingerprints('a')).toEqual(createSecrets(secret).fingerprints('a'))
  expect(secrets.fingerprints('a')).not.toEqual(others.fingerprints('a'))
  expect(secrets.fingerprints('a')[0]).toHaveLength(32)
})

describe('while the secret is replaced', () => {
  const next = randomBytes(32).toString('base64')
  const rotating = createSecrets(next, [secret])

  it('what the one before has sealed is opened, and what is new is sealed with the new one', () => {
    const sealed = secrets.seal(plain, 'one')
    expect(rotating.open(sealed, 'one')).toEqual(plain)
    expect([rotating.isCurrent(sealed), rotating.isCurrent(rotating.seal(plain, 'one'))]).toEqual([false, true])
    expect(createSecrets(next).open(rotating.seal(plain, 'one'), 'one')).toEqual(plain)
  })

  it('what the one before has derived is known, after what the new one derives', () => {
    expect(rotating.successors('a')).toEqual([...createSecrets(next).successors('a'), ...secrets.successors('a')])
    expect(rotating.fingerprints('a')).toEqual([...createSecrets(next).fingerprints('a'), ...secrets.fingerprints('a')])
  })
})

it.each(['', 'short', Buffer.alloc(31).toString('base64')])('%j is too short a secret', (short) => {
  expect(() => createSecrets(short)).toThrow('AUTH_SECRET must be 32 random bytes in base64.')
  expect(() => createSecrets(secret, [short])).toThrow('Each of AUTH_SECRET_PREVIOUS must be 32 random bytes in base64.')
})
