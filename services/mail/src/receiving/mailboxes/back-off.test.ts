import { describe, expect, it } from '@jest/globals'
import { pauseAfter, refusedAgain } from './back-off.js'

describe('the pause after failures', () => {
  it.each([
    [1, 30_000],
    [2, 60_000],
    [6, 960_000],
    [7, 1_800_000],
    [1000, 1_800_000],
  ])('in a row, %i, is at most %i ms, and up to a quarter shorter', (failures, most) => {
    expect([pauseAfter(failures, 0), pauseAfter(failures, 1)]).toEqual([most, most * 0.75])
  })
})

describe('refused logins', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute))

  it('stop a mailbox when there are five within an hour', () => {
    const stops: boolean[] = []
    let refusals: Parameters<typeof refusedAgain>[0] = { refusedLogins: 0, refusedSince: null }
    for (const minute of [0, 10, 20, 30, 59]) {
      const { stops: isLast, ...next } = refusedAgain(refusals, at(minute))
      stops.push(isLast)
      refusals = next
    }
    expect(stops).toEqual([false, false, false, false, true])
    expect(refusals).toEqual({ refusedLogins: 5, refusedSince: at(0) })
  })

  it('are counted anew after an hour', () => {
    expect(refusedAgain({ refusedLogins: 4, refusedSince: at(0) }, at(60))).toEqual({
      refusedLogins: 1,
      refusedSince: at(60),
      stops: false,
    })
  })
})
