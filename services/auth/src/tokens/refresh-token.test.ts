import { describe, expect, it } from '@jest/globals'
import { classifyRefreshToken, expiryOf, hashToken, newRefreshToken, type RefreshState } from './refresh-token.js'

const now = new Date('2026-03-01T12:00:00Z')
const inSeconds = (seconds: number) => new Date(Number(now) + seconds * 1000)
const fresh: RefreshState = { expires: inSeconds(60), used: null, successorUsed: false, session: { ended: null, expires: inSeconds(60) } }

describe('a presented refresh token', () => {
  const cases: [what: string, change: Partial<RefreshState>, verdict: ReturnType<typeof classifyRefreshToken>][] = [
    ['is exchanged', {}, 'exchange'],
    ['is refused when it has expired', { expires: now }, 'refuse'],
    ['is refused when its family has ended', { session: { ended: inSeconds(-1), expires: inSeconds(60) } }, 'refuse'],
    ['is refused when its family has expired', { session: { ended: null, expires: now } }, 'refuse'],
    ['gets the same again at once', { used: now }, 'repeat'],
    ['gets the same again after twenty seconds', { used: inSeconds(-20) }, 'repeat'],
    ['is a thief’s later than that', { used: inSeconds(-20.001) }, 'stolen'],
    ['is a thief’s when its successor was used', { used: now, successorUsed: true }, 'stolen'],
    ['ends nothing twice', { used: inSeconds(-60), session: { ended: inSeconds(-1), expires: inSeconds(60) } }, 'refuse'],
  ]
  it.each(cases)('%s', (_, change, verdict) => expect(classifyRefreshToken({ ...fresh, ...change }, now)).toBe(verdict))
})

it('a new refresh token has 256 random bits, and its hash 32 bytes', () => {
  const [one, other] = [newRefreshToken(), newRefreshToken()]
  expect(one).not.toBe(other)
  expect(Buffer.from(one, 'base64url')).toHaveLength(32)
  expect(hashToken(one)).toHaveLength(32)
  expect(hashToken(one)).not.toEqual(Buffer.from(one, 'base64url'))
  expect(hashToken(one)).toEqual(hashToken(one))
})

describe('a refresh token expires', () => {
  const days = (count: number) => count * 86_400_000
  const settings = { refreshTokenMs: days(30), sessionMs: days(90) }
  const inDays = (count: number) => new Date(Number(now) + days(count))

  it('when it was not used for its lifetime', () => expect(expiryOf(now, now, settings)).toEqual(inDays(30)))
  it('no later than its family', () => expect(expiryOf(now, inDays(-80), settings)).toEqual(inDays(10)))
})
