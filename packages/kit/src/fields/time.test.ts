import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { dayAt, dayEnd, dayStart, formatTime, parseTime } from './time.js'

const quarterMs = 900_000

describe('a local time', () => {
  it.each([
    [
      'after clocks were set forward west of the date line, by an office that is now east of it',
      'Pacific/Apia',
      '2010-09-26 01:00:00',
      '2010-09-26T11:00:00Z',
    ],
    ['of the day that an office has skipped is a day later', 'Pacific/Apia', '2011-12-30 12:00:00', '2011-12-30T22:00:00Z'],
    [
      'after clocks were set forward to a time that is now the standard time',
      'America/Nuuk',
      '2022-03-26 23:00:00',
      '2022-03-27T01:00:00Z',
    ],
    ['that is skipped by half an hour is half an hour later', 'Australia/Lord_Howe', '2026-10-04 02:15:00', '2026-10-03T15:45:00Z'],
    ['that occurs twice within half an hour is the first', 'Australia/Lord_Howe', '2026-04-05 01:45:00', '2026-04-04T14:45:00Z'],
    ['that is skipped by two hours is two hours later', 'Antarctica/Troll', '2026-03-29 01:30:00', '2026-03-29T01:30:00Z'],
    ['of a midnight that is skipped', 'America/Sao_Paulo', '2018-11-04 00:00:00', '2018-11-04T03:00:00Z'],
    ['of a time zone with an offset in seconds', 'America/New_York', '1800-01-01 00:00:00', '1800-01-01T04:56:02Z'],
  ])('%s', (_, zone, text, moment) => {
    expect(parseTime(text, zone)).toEqual(new Date(moment))
  })

  it.each([
    ['Pacific/Apia', '2010-09-24T00:00:00Z'],
    ['Pacific/Apia', '2011-12-29T00:00:00Z'],
    ['America/Nuuk', '2022-03-26T00:00:00Z'],
    ['Europe/Warsaw', '2026-10-24T00:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-03T00:00:00Z'],
    ['America/Sao_Paulo', '2018-02-17T00:00:00Z'],
  ])('that is shown in %s in the days from %s is the first moment at which it is shown', (zone, start) => {
    const first = new Map<string, Date>()
    for (let ms = Date.parse(start); ms < Date.parse(start) + 4 * 96 * quarterMs; ms += quarterMs) {
      const shown = formatTime(new Date(ms), zone)
      if (!first.has(shown)) first.set(shown, new Date(ms))
    }
    for (const [shown, moment] of first) expect([shown, parseTime(shown, zone)]).toEqual([shown, moment])
  })
})

describe('a day', () => {
  it.each([
    ['begins with the first of two midnights', 'Atlantic/Azores', '2025-10-26', '2025-10-26T00:00:00Z', '2025-10-27T01:00:00Z'],
    ['begins at one o’clock', 'Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z'],
    ['ends at 23:00', 'America/Nuuk', '2026-03-28', '2026-03-28T02:00:00Z', '2026-03-29T01:00:00Z'],
    ['has 24 hours and a half', 'Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z'],
    ['that is skipped is empty', 'Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', '2011-12-30T10:00:00Z'],
    ['after a skipped one has 24 hours', 'Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z', '2011-12-31T10:00:00Z'],
    ['is the first of all', 'UTC', '0001-01-01', '0001-01-01T00:00:00Z', '0001-01-02T00:00:00Z'],
    ['is the last of all', 'UTC', '9999-12-31', '9999-12-31T00:00:00Z', '+010000-01-01T00:00:00Z'],
  ])('%s: %s %s', (_, zone, day, start, end) => {
    expect([dayStart(day, zone), dayEnd(day, zone)]).toEqual([new Date(start), new Date(end)])
  })

  it('contains its first and its last second, in every zone', () => {
    const since2012 = fc.date({ min: new Date('2012-01-01T00:00:00Z'), max: new Date('2040-01-01T00:00:00Z'), noInvalidDate: true })
    fc.assert(
      fc.property(since2012, fc.constantFrom(...Intl.supportedValuesOf('timeZone')), (time, zone) => {
        const day = dayAt(time, zone)
        const [start, end] = [dayStart(day, zone).getTime(), dayEnd(day, zone).getTime()]
        expect(start <= time.getTime() && time.getTime() < end).toBe(true)
        expect([start - 1000, start, end - 1000, end].map((ms) => dayAt(new Date(ms), zone) === day)).toEqual([false, true, true, false])
      }),
      { numRuns: 5_000 },
    )
  })
})
