import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { dayAt, formatTime } from './time.js'

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC']
const years = { min: new Date('1000-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }

describe('a local time', () => {
  it('is the same as by Intl.DateTimeFormat, in every zone and year', () => {
    fc.assert(
      fc.property(fc.date(years), fc.constantFrom(...zones), (time, zone) => {
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(time)
        expect(formatTime(time, zone)).toBe(shown)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is on the local day', () => {
    const time = new Date('2026-11-23T23:30:00Z')
    expect([dayAt(time, 'Europe/Warsaw'), dayAt(time, 'UTC')]).toEqual(['2026-11-24', '2026-11-23'])
  })

  it('is right to the second where an offset changed at one minute past midnight', () => {
    const shown = ['02:59', '03:00', '03:01', '03:14'].map((minute) =>
      formatTime(new Date(`2008-11-02T${minute}:00Z`), 'America/Goose_Bay'),
    )
    expect(shown).toEqual(['2008-11-01 23:59:00', '2008-11-02 00:00:00', '2008-11-01 23:01:00', '2008-11-01 23:14:00'])
  })

  it('is right to the second where an offset changes', () => {
    for (const zone of zones) {
      for (let day = Date.UTC(2026, 0); day < Date.UTC(2027, 0); day += 86_400_000) {
        const [before, after] = [day, day + 86_400_000].map((ms) => formatTime(new Date(ms), zone).slice(11))
        if (before === after) continue
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
        for (let ms = day; ms <= day + 86_400_000; ms += 900_000) {
          for (const at of [ms - 1_000, ms]) expect(formatTime(new Date(at), zone)).toBe(shown.format(at))
        }
      }
    }
  })
})
