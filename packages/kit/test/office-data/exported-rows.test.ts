import { type ExportedTable, exportedRows, exportedTables } from '@caseway/kit/office-data'
import { currentOffice, officeRows, platformRows, readable, secret } from '@caseway/kit/tables'
import { randomId } from '@caseway/testing'
import { withSettings } from '@caseway/testing/scoped-access'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Notes, notesDatabase } from '../support/notes.js'

const [ours, theirs] = [randomId(), randomId()]

const ofNotes = { name: 'notes', where: `"customer_id" = ${currentOffice}` }

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
  await notes.rows(`
    CREATE TABLE pages (chapter bigint, letter text, customer_id bigint, PRIMARY KEY (letter, chapter));
    GRANT SELECT ON pages TO "${new URL(notes.url).username}"`)
})
afterAll(() => notes.stop())

async function rowsOf(table: ExportedTable): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for await (const page of exportedRows(notes.db, table, ours)) rows.push(...page.map((line) => JSON.parse(line)))
  return rows
}

describe('the rows of an export', () => {
  it('are those that the office may read by row-level security, each once', async () => {
    for (const id of [ours, theirs]) {
      await notes.rows('INSERT INTO notes (customer_id, title) SELECT $1, nth::text FROM generate_series(1, 250) nth', [id])
    }
    const rows = await rowsOf({ ...ofNotes, secrets: [] })
    expect(new Set(rows.map(({ customer_id }) => customer_id))).toEqual(new Set([Number(ours)]))
    expect(rows.map(({ title }) => title)).toEqual(Array.from({ length: 250 }, (_, nth) => String(nth + 1)))
  })

  it('can have a primary key of several columns', async () => {
    await notes.rows("INSERT INTO pages SELECT chapter, letter, 1 FROM generate_series(1, 150) chapter, unnest(ARRAY['b', 'a']) letter")
    const rows = await rowsOf({ name: 'pages', where: 'true', secrets: [] })
    expect(new Set(rows.map(({ letter, chapter }) => `${letter}${chapter}`)).size).toBe(300)
    expect([rows.length, rows[1]]).toEqual([300, { chapter: 2, letter: 'a', customer_id: 1 }])
  })

  it('are found by an index that begins with the office', async () => {
    await notes.rows('CREATE INDEX ON notes (customer_id, id)')
    await notes.rows('INSERT INTO notes (customer_id, title) SELECT nth % 500, nth::text FROM generate_series(1, 50000) nth')
    await notes.rows('ANALYZE notes')
    const sent: Parameters<typeof notes.db.query>[1][] = []
    const query: typeof notes.db.query = (scoped, statement) => {
      sent.push(statement)
      return notes.db.query(scoped, statement)
    }
    const [table] = exportedTables({ notes: [officeRows()] })
    for await (const _ of exportedRows({ ...notes.db, query }, table as ExportedTable, ours));
    const pages = sent.slice(1)
    expect(pages).toHaveLength(2)
    for (const { sql, parameters } of pages) {
      const plan = await withSettings(notes, { 'app.customer_id': String(ours) }, (connection) =>
        connection.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, [...parameters]),
      )
      const lines = plan.rows.map((line) => line['QUERY PLAN']).join('\n')
      expect(lines).toMatch(/Index Cond: \(+customer_id = /)
      expect(lines).not.toMatch(/Seq Scan|notes_pkey/)
    }
  })

  it('have no secret columns', async () => {
    const [row] = await rowsOf({ ...ofNotes, secrets: ['title', 'rank'] })
    expect(row).toMatchObject({ customer_id: Number(ours) })
    expect(Object.keys(row ?? {})).not.toEqual(expect.arrayContaining(['title']))
  })
})

it('the tables of an export are those of which an office may read rows, each with its secret columns', () => {
  const tables = { notes: [officeRows(), secret('title')], sessions: [platformRows()], accounts: [platformRows(), readable('linked', 'A')] }
  expect(exportedTables(tables)).toEqual([
    { ...ofNotes, secrets: ['title'] },
    { name: 'accounts', where: '(A)', secrets: [] },
  ])
})
