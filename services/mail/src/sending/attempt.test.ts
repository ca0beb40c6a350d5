import { describe, expect, it } from '@jest/globals'
import { attempted, pauseAfterAttempt, type Tried } from './attempt.js'

const accepted: Tried = { state: 'accepted', error: '' }
const deferred: Tried = { state: 'deferred', error: '450 later' }
const refused: Tried = { state: 'refused', error: '550 never' }
const minute = 60_000

describe('a message after an attempt', () => {
  it.each<readonly [string, readonly Tried[], number, object]>([
    ['everybody has it', [accepted, accepted], 1, { status: 2, error: null, pauseMs: null }],
    ['somebody may have it later', [accepted, deferred], 1, { status: 0, error: '450 later', pauseMs: minute }],
    ['somebody will not have it', [accepted, refused], 1, { status: 3, error: '550 never', pauseMs: null }],
    ['both', [deferred, refused], 2, { status: 0, error: '550 never', pauseMs: 5 * minute }],
    ['somebody did not have it for a day', [accepted, deferred], 8, { status: 3, error: '450 later', pauseMs: null }],
  ])('%s', (_, recipients, attempts, then) => {
    expect(attempted(recipients, attempts)).toEqual(then)
  })
})

it('is tried for a day, at growing intervals', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 7].map((attempts) => (pauseAfterAttempt(attempts) ?? 0) / minute)
  expect(pauses).toEqual([1, 5, 15, 60, 180, 360, 819])
  expect(pauses.reduce((sum, one) => sum + one)).toBe(24 * 60)
  expect(pauseAfterAttempt(8)).toBeNull()
})
