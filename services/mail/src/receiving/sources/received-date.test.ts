import { expect, it } from '@jest/globals'
import { receivedDate } from './received-date.js'

const now = new Date('2026-07-01T00:00:00Z')
const dateOf = (...lines: string[]) => receivedDate(Buffer.from([...lines, '', ''].join('\r\n')), now).toISOString()
const received = (when: string) => ['Received: from a.example (a.example [192.0.2.1])', `\tby b.example with ESMTP; ${when}`]

it.each([
  [
    'at the date in the first Received',
    [...received('Tue, 06 Jan 2026 10:00:00 +0100 (CET)'), ...received('Mon, 05 Jan 2026 10:00:00 +0100')],
    '2026-01-06T09',
  ],
  [
    'at the date in Received rather than in Date',
    ['Date: Mon, 05 Jan 2026 10:00:00 +0000', ...received('Tue, 06 Jan 2026 10:00:00 +0000')],
    '2026-01-06T10',
  ],
  [
    'at the date in Date where Received cannot be read',
    [...received('yesterday'), 'date: Mon, 05 Jan 2026', ' 10:00:00 +0000'],
    '2026-01-05T10',
  ],
  ['at the date in Date where there is no Received', ['Subject: x', 'Date: Mon, 5 Jan 2026 10:00:00 +0000'], '2026-01-05T10'],
  ['now without a date', ['Subject: Date: Mon, 5 Jan 2026 10:00:00 +0000'], '2026-07-01T00'],
  ['now where the date cannot be read', ['Date: soon'], '2026-07-01T00'],
  ['now where the date is in the future', ['Date: Mon, 5 Jan 2099 10:00:00 +0000'], '2026-07-01T00'],
])('a message was received %s', (_, lines, hour) => {
  expect(dateOf(...lines)).toBe(`${hour}:00:00.000Z`)
})
