import { describe, expect, it } from '@jest/globals'
import { formatTime, parseTime } from './time.js'

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
