import { expect, it } from '@jest/globals'
import { workedDays } from './worked-day.js'

it.each([
  ['one day', 'Asia/Kathmandu', '2026-07-01T18:15:00Z', '2026-07-02T18:15:00Z', { '2026-07-02': 86_400 }],
  ['two days', 'Pacific/Kiritimati', '2025-12-31T09:59:59Z', '2025-12-31T10:00:01Z', { '2025-12-31': 1, '2026-01-01': 1 }],
  [
    'three days',
    'America/Nuuk',
    '2026-03-28T01:59:00Z',
    '2026-03-29T01:01:00Z',
    { '2026-03-27': 60, '2026-03-28': 82_800, '2026-03-29': 60 },
  ],
  ['a repeated hour', 'Australia/Lord_Howe', '2026-04-04T12:00:00Z', '2026-04-04T16:00:00Z', { '2026-04-04': 3600, '2026-04-05': 10_800 }],
  ['the last hour twice', 'America/Sao_Paulo', '2018-02-18T01:30:00Z', '2018-02-18T03:30:00Z', { '2018-02-17': 5400, '2018-02-18': 1800 }],
  ['a skipped midnight', 'America/Sao_Paulo', '2018-11-04T02:30:00Z', '2018-11-04T03:30:00Z', { '2018-11-03': 1800, '2018-11-04': 1800 }],
  ['a skipped day', 'Pacific/Apia', '2011-12-30T09:30:00Z', '2011-12-30T11:00:00Z', { '2011-12-29': 1800, '2011-12-31': 3600 }],
  ['a day that was left again', 'America/St_Johns', '2010-11-07T02:40:00Z', '2010-11-07T03:50:00Z', { '2010-11-07': 4200 }],
])('work on %s is split into them: %s', (_, zone, started, ended, seconds) => {
  const days = workedDays({ id: 1n, customerId: 2n, started: new Date(started), ended: new Date(ended), zone })
  expect(days).toEqual(Object.entries(seconds).map(([day, seconds]) => ({ workTimeId: 1n, customerId: 2n, day, seconds })))
})
