import { describe, expect, it } from '@jest/globals'
import { backfillOf, monthsOf } from './mail-command.js'

const today = '2026-11-23'

describe('a backfill', () => {
  it.each(['CLIENTS', 'OFFICES', 'PROVIDERS', 'LEADS', 'OTHERS'])('of the folder %s is accepted', (folderName) => {
    expect(backfillOf({ folderName, fetchAfterDate: today }, today)).toEqual({ backfill: { folderName, fetchAfterDate: today } })
  })

  it.each([undefined, null, '', 'clients', 'SENT', 'TRASH', 'DRAFTS', 'constructor', 7, ['CLIENTS']])(
    'of the folder %j is refused',
    (folderName) => {
      expect(backfillOf({ folderName, fetchAfterDate: today }, today)).toEqual({ wrong: { folder_name: 'Folder not allowed.' } })
    },
  )

  it.each([undefined, null, '', '2026-2-1', '01.02.2026', '2026-02-30', '2025-02-29', '0000-01-01', '2026-11-23T00:00:00Z', 20261123])(
    'from the day %j is refused',
    (fetchAfterDate) => {
      expect(backfillOf({ folderName: 'LEADS', fetchAfterDate }, today)).toEqual({ wrong: { fetch_after_date: 'Invalid date format.' } })
    },
  )

  it('from tomorrow is refused, and both fields are named where both are wrong', () => {
    expect(backfillOf({ folderName: 'X', fetchAfterDate: '2026-11-24' }, today)).toEqual({
      wrong: { folder_name: 'Folder not allowed.', fetch_after_date: 'Date cannot be in the future.' },
    })
  })
})

it.each([
  ['2026-11-23', 1],
  ['2026-11-01', 1],
  ['2026-10-31', 2],
  ['2025-12-31', 12],
  ['0001-01-01', 24_311],
])('from %s there are %i months', (from, count) => {
  expect(monthsOf(from, today)).toEqual({ newest: '2026-11-01', count })
})
