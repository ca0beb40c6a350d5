import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { formatStoredTime } from './stored-time.js'
import { formatTime } from './time.js'

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC']
const years = { min: new Date('1000-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }
const year2026 = { min: new Date('2026-01-01T00:00:00Z'), max: new Date('2027-01-01T00:00:00Z'), noInvalidDate: true }

/** As PostgreSQL writes it: without zeros at the end of the fraction. */
const storedForm = (time: Date, digits: string) => {
  const [day, clock] = time.toISOString().slice(0, 19).split('T')
  const fraction = digits.replace(/0+$/, '')
  return `${day} ${clock}${fraction && `.${fraction}`}+00`
}

describe('a time that PostgreSQL has written', () => {
  it('is shown as `formatTime` shows it, in every zone and year', () => {
    const digits = fc.constantFrom('', '5', '999999', '000001')
    fc.assert(
      fc.property(fc.oneof(fc.date(years), fc.date(year2026)), digits, fc.constantFrom(...zones), (time, digits, zone) => {
        expect(formatStoredTime(storedForm(time, digits), zone)).toBe(formatTime(time, zone))
      }),
      { numRuns: 5_000 },
    )
  })

  it('is shown correctly in one zone after the other', () => {
    for (const zone of zones)
      expect(formatStoredTime('2026-07-01 10:20:30.5+00', zone)).toBe(formatTime(new Date('2026-07-01T10:20:30Z'), zone))
  })

  it.each(['Europe/Warsaw', 'America/New_York', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Casablanca'])(
    'changes to the second where the clocks of %s do',
    (zone) => {
      for (let day = year2026.min.getTime(); day < year2026.max.getTime(); day += 86_400_000) {
        const [before, after] = [day, day + 86_400_000].map((ms) => formatTime(new Date(ms), zone).slice(11))
        if (before === after) continue
        for (let ms = day; ms <= day + 86_400_000; ms += 900_000) {
          for (const at of [ms - 1_000, ms])
            expect(formatStoredTime(storedForm(new Date(at), ''), zone)).toBe(formatTime(new Date(at), zone))
        }
      }
    },
  )
})
