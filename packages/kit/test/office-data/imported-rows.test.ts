import { newBlobKey } from '@caseway/kit/blobs'
import { type IdBlock, importedBlobKey, importedTables, importRows, reserveIds } from '@caseway/kit/office-data'
import { foreignIds, imported, notImported, officeRows, secret, type TableRule } from '@caseway/kit/tables'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { blockOf } from '../support/id-blocks.js'
import { type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())

const importedNotes = (...rules: TableRule[]) =>
  importedTables(notes.db, 'kit-test', {
    notes: [officeRows(), ...rules],
    note_comments: [officeRows(), foreignIds({ note_id: 'kit-test.notes' })],
  })

/** Imports these rows into a new office. */
async function written(table: 'notes' | 'note_comments', rows: object[], blocks: Record<string, IdBlock>, ...rules: TableRule[]) {
  const customerId = randomId()
  const found = (await importedNotes(...rules)).find(({ name }) => name === table)
  if (!found) throw new Error(`${table} is not imported.`)
  const columns = Object.keys(rows[0] ?? {})
  const write = () =>
    importRows(
      notes.db,
      found,
      { service: 'kit-test', columns, ids: { customerId, blocks, seed: 'seed' } },
      rows.map((row) => JSON.stringify(row)),
    )
  await write()
  return {
    customerId,
    write,
    found: () => notes.rows<Record<string, unknown>>(`SELECT * FROM ${table} WHERE customer_id = $1 ORDER BY id`, [customerId]),
  }
}

describe('rows that are imported', () => {
  it('belong to the new office, with new ids in the same order, and keep everything else', async () => {
    const block = await reserveIds(notes.db, 'notes', { first: 7n, last: 9n })
    const rows = [7, 9].map((id) => ({
      id,
      customer_id: 1,
      title: `Note ${id}`,
      rank: null,
      created: '2026-01-02T03:04:05.678+00:00',
      version: 4,
    }))
    const { customerId, found } = await written('notes', rows, { 'kit-test.notes': block as IdBlock })
    const first = BigInt(block?.shift ?? 0) + 7n
    expect(await found()).toMatchObject([
      {
        id: String(first),
        customer_id: String(customerId),
        title: 'Note 7',
        rank: null,
        version: 4,
        created: new Date('2026-01-02T03:04:05.678Z'),
      },
      { id: String(first + 2n), customer_id: String(customerId), title: 'Note 9' },
    ])
  })

  it('get the defaults of columns that the export does not have', async () => {
    const { found } = await written('notes', [{ id: 1, customer_id: 1, title: 'A' }], { 'kit-test.notes': blockOf(1n, 1n, randomId()) })
    expect(await found()).toMatchObject([{ done: false, version: 1 }])
  })

  it('are left unchanged when they are imported again', async () => {
    const { customerId, write, found } = await written('notes', [{ id: 1, customer_id: 1, title: 'A' }], {
      'kit-test.notes': blockOf(1n, 1n, randomId()),
    })
    await notes.rows("UPDATE notes SET title = 'B' WHERE customer_id = $1", [customerId])
    await write()
    expect(await found()).toMatchObject([{ title: 'B' }])
  })

  it('are written in the scope of the new office only', async () => {
    const [other] = await notes.rows<{ id: string }>("INSERT INTO notes (customer_id, title) VALUES ($1, 'Theirs') RETURNING id", [
      randomId(),
    ])
    const { found } = await written('notes', [{ id: 5, customer_id: 1, title: 'A' }], {
      'kit-test.notes': blockOf(5n, 5n, BigInt(other?.id ?? 0) - 5n),
    })
    expect(await found()).toEqual([])
    expect(await notes.rows('SELECT title FROM notes WHERE id = $1', [other?.id])).toEqual([{ title: 'Theirs' }])
  })

  it('are rejected when a rule would assign them to another office', async () => {
    const writing = written(
      'notes',
      [{ id: 1, customer_id: 1, title: 'A' }],
      { 'kit-test.notes': blockOf(1n, 1n, randomId()) },
      imported({ customer_id: '1' }),
    )
    await expect(writing).rejects.toThrow('row-level security')
  })

  it('get the values of the rule `imported`', async () => {
    const rules = [imported({ title: "'Copy of ' || title", rank: 'NULL' })]
    const { found } = await written(
      'notes',
      [{ id: 1, customer_id: 1, title: 'A', rank: 5 }],
      { 'kit-test.notes': blockOf(1n, 1n, randomId()) },
      ...rules,
    )
    expect(await found()).toMatchObject([{ title: 'Copy of A', rank: null }])
  })

  it('refer to rows of their own import only', async () => {
    const blocks = { 'kit-test.notes': blockOf(10n, 20n, 1000n), 'kit-test.note_comments': blockOf(1n, 4n, randomId()) }
    await notes.rows("INSERT INTO notes (id, customer_id, title) VALUES (1010, 1, 'A'), (10000000000021, 1, 'B'), (10000000000009, 1, 'C')")
    const comments = [10, 21, 9, null].map((note_id, nth) => ({ id: nth + 1, customer_id: 1, note_id, body: 'A' }))
    const { found } = await written('note_comments', comments, blocks)
    expect((await found()).map(({ note_id }) => note_id)).toEqual(['1010', '10000000000021', '10000000000009', null])
  })
})

describe('the tables of an import', () => {
  it('are in the order of their foreign keys, without those that are not imported', async () => {
    await notes.rows('CREATE TABLE pages (id bigint PRIMARY KEY, customer_id bigint)')
    await notes.rows('CREATE TABLE binders (id bigint PRIMARY KEY, customer_id bigint, inside_id bigint REFERENCES binders)')
    await notes.rows('ALTER TABLE pages ADD COLUMN binder_id bigint REFERENCES binders')
    const tables = { pages: [officeRows()], binders: [officeRows()], person_copies: [officeRows(), notImported('It is a copy.')] }
    const found = await importedTables(notes.db, 'kit-test', tables)
    expect(found.map(({ name, isNested }) => [name, isNested])).toEqual([
      ['binders', true],
      ['pages', false],
    ])
  })
})

it('a secret column is not imported', async () => {
  const [found] = await importedTables(notes.db, 'kit-test', { notes: [officeRows(), secret('title')] })
  expect(found?.columns).toContain('rank')
  expect(found?.columns).not.toContain('title')
})

describe('a blob that is imported', () => {
  it('has a key that depends on the import, in its rows as well', async () => {
    const key = newBlobKey()
    await notes.rows('ALTER TABLE notes ADD COLUMN IF NOT EXISTS blob_key text')
    const rows = [key, 'erased', '../../etc/passwd', null].map((blob_key, nth) => ({
      id: nth + 1,
      customer_id: 1,
      title: `${nth}`,
      blob_key,
    }))
    const { found } = await written('notes', rows, { 'kit-test.notes': blockOf(1n, 4n, randomId()) })
    expect((await found()).map(({ blob_key }) => blob_key)).toEqual([importedBlobKey('seed', key), 'erased', 'erased', null])
    expect(importedBlobKey('seed', key)).toMatch(/^[0-9a-f]{32}$/)
    expect(importedBlobKey('another', key)).not.toBe(importedBlobKey('seed', key))
  })
})
