import { describe, expect, it } from '@jest/globals'
import { currentKey, exportPrivate, generateSigningKey, importPrivate, isDue, jwkOf, type SigningKey } from './signing-key.js'

const now = new Date('2026-03-01T12:00:00Z')
const days = (count: number) => new Date(Number(now) + count * 86_400_000)
const monthMs = 30 * 86_400_000
const key = (kid: string, signsFrom: Date) => ({ kid, signsFrom }) as SigningKey

describe('the key that signs', () => {
  it('is the one whose `signsFrom` is the latest that has passed', () => {
    const keys = [key('waits', days(1)), key('old', days(-40)), key('signs', days(-10))]
    expect(currentKey(keys, now)?.kid).toBe('signs')
    expect(currentKey(keys, days(1))?.kid).toBe('waits')
  })

  it('is undefined while no key may sign', () => {
    expect(currentKey([], now)).toBeUndefined()
    expect(currentKey([key('waits', days(1))], now)).toBeUndefined()
  })
})

describe('a new key is due', () => {
  it('when there is no key, or the newest has signed for the rotation period', () => {
    expect(isDue([], now, monthMs)).toBe(true)
    expect(isDue([key('old', days(-31))], now, monthMs)).toBe(true)
  })

  it('not when a newer key signs or is going to', () => {
    expect(isDue([key('old', days(-31)), key('signs', days(-29))], now, monthMs)).toBe(false)
    expect(isDue([key('old', days(-31)), key('waits', days(1))], now, monthMs)).toBe(false)
  })
})

it('a JWK contains the public half only, and an exported private key can be imported', async () => {
  const made = await generateSigningKey(now)
  expect(Object.keys(jwkOf(made)).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  const { privateKey, publicKey } = importPrivate(exportPrivate(made))
  expect([privateKey.equals(made.privateKey), publicKey.equals(made.publicKey)]).toEqual([true, true])
})
