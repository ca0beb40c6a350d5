import { foreignIds, isKnown, newId, newIdOf, newIdsOf, notImported, officeRows, platformRows, undeclaredIds } from '@caseway/kit/tables'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { blockOf } from '../support/id-blocks.js'
import { type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())

describe('the new id of a row', () => {
  const ids = { users: { ...blockOf(5n, 8n, 100n), known: { 6: '3' } }, issues: blockOf(1n, 9n, 200n) }
  const value = async (sql: string, row: object) => {
    const columns = Object.keys(row).map(
      (name, nth) => `$${nth + 2}${typeof Object.values(row)[nth] === 'number' ? '::bigint' : '::text'} AS ${name}`,
    )
    const [found] = await notes.rows<{ value: unknown }>(
      `SELECT ${sql} AS value FROM (SELECT $1::jsonb AS new_ids, ${columns.join(', ')}) AS row`,
      [JSON.stringify(ids), ...Object.values(row)],
    )
    return found?.value
  }

  it.each([
    ['in the range of the export', 5, '105'],
    ['that this installation had before', 6, '3'],
    ['that is not in the export', 9, '10000000000009'],
    ['below the range of the export', 3, '10000000000003'],
    ['that was not in an earlier export', 10_000_000_000_009, '20000000000009'],
    ['with an id that no installation assigns', Number.MAX_SAFE_INTEGER, '104'],
    ['with a negative id', -9, '104'],
    ['with the id 0, which means none', 0, '0'],
  ])('%s', async (_, id, expected) => {
    expect(await value(newId('users', 'id'), { id })).toBe(expected)
  })

  it('is known for rows that this installation had before', async () => {
    expect([await value(isKnown('users', 'id'), { id: 6 }), await value(isKnown('users', 'id'), { id: 5 })]).toEqual([true, false])
    expect(await value(isKnown('issues', 'id'), { id: 5 })).toBe(false)
  })

  it('depends on the table of its kind', async () => {
    const sql = newIdOf('kind', 'id', { User: 'users', Issue: 'issues' })
    expect(await value(sql, { kind: 'User', id: 5 })).toBe('105')
    expect(await value(sql, { kind: 'Issue', id: 5 })).toBe('205')
    expect(await value(sql, { kind: 'Other', id: 5 })).toBe('5')
  })

  it.each([
    ['["5","6"]', '["105","3"]'],
    ['[6,5]', '[3,105]'],
    ['[]', '[]'],
    ['', ''],
  ])('in a text with a JSON array, whose types stay: %s', async (ids, expected) => {
    expect(await value(newIdsOf('users', 'ids'), { ids })).toBe(expected)
  })
})

it('undeclaredIds returns the id columns for which no rule declares a table', async () => {
  const tables = { notes: [officeRows()], note_comments: [officeRows(), foreignIds({ note_id: 'kit-test.notes' })] }
  expect(await undeclaredIds(notes.ownerUrl, tables)).toEqual(['notes.client_id'])
  expect(await undeclaredIds(notes.ownerUrl, { ...tables, notes: [officeRows(), notImported('It is not.')] })).toEqual([])
  expect(await undeclaredIds(notes.ownerUrl, { ...tables, notes: [platformRows()] })).toEqual([])
})
