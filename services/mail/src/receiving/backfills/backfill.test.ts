import { describe, expect, it } from '@jest/globals'
import { isWithin } from './backfill.js'

const march = { month: new Date('2026-03-01'), from: new Date('2026-03-15') }

describe('a message is within a month of a backfill', () => {
  it.each([
    ['Europe/Warsaw', '2026-03-14T22:59:59Z', false],
    ['Europe/Warsaw', '2026-03-14T23:00:00Z', true],
    // Daylight saving time begins within the month.
    ['Europe/Warsaw', '2026-03-31T21:59:59Z', true],
    ['Europe/Warsaw', '2026-03-31T22:00:00Z', false],
    ['America/New_York', '2026-03-15T03:59:59Z', false],
    ['America/New_York', '2026-04-01T03:59:59Z', true],
    ['America/New_York', '2026-04-01T04:00:00Z', false],
    ['UTC', '2026-03-15T00:00:00Z', true],
  ])('by days in the time zone of the office: in %s, %s: %s', (zone, moment, expected) => {
    expect(isWithin(new Date(moment), march, zone)).toBe(expected)
  })

  it('and not within another month of the range', () => {
    expect(isWithin(new Date('2026-02-20T12:00:00Z'), { month: march.month, from: new Date('2026-02-01') }, 'UTC')).toBe(false)
  })
})
