import { describe, expect, it } from '@jest/globals'
import type { Mailbox } from '../../mail-connections/mailbox-access.js'
import { receivingOf } from './receiving-mailbox.js'

const fetchedAfter = (fetchAfterDate: string | null, zone: string) =>
  receivingOf({ userEmail: 'office@caseway.test', fetchAfterDate } as Mailbox, zone).fetchAfter?.toISOString()

describe('a mailbox is received', () => {
  it.each([
    ['Europe/Warsaw', '2026-06-30T22:00:00.000Z'],
    ['America/New_York', '2026-07-01T04:00:00.000Z'],
    ['UTC', '2026-07-01T00:00:00.000Z'],
  ])('from the beginning of a day in the time zone of its office: in %s, %s', (zone, moment) => {
    expect(fetchedAfter('2026-07-01', zone)).toBe(moment)
  })

  it.each([null, '0001-01-01'])('without a limit where no message can be older: %s', (day) => {
    expect(fetchedAfter(day, 'UTC')).toBeUndefined()
  })
})
