import { embeddedRows, resourceReads, sql } from '@caseway/kit/database'
import { amount, date, flagInteger, flagText, idText, integerText, line, nullable, timestamp } from '@caseway/kit/fields'
import { resourceRoutes } from '@caseway/kit/http'
import { defineResource, many, one } from '@caseway/kit/resource'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Db } from '../support/notes.js'
import { type Note, notes, numRuns, zones } from './support/any-notes.js'
import { type ServedNotes, serveNotes } from './support/notes.js'
import { bothRoutes, bothWays, officeWith } from './support/stored-rows.js'

/** Notes, each with an embedded object that is read by its id. */
const shelfResource = defineResource({
  name: 'Shelved',
  path: 'shelf',
  table: 'notes',
  fields: { id: idText, title: line({ max: 100 }) },
  embedded: { Shelf: one('id', { name: line({ max: 100 }) }) },
})

const sheets = many(
  'client_id',
  { client_id: idText, title: line({ max: 100 }), done: flagText },
  {
    Cover: { rank: nullable(integerText({ min: -100, max: 100 })), price: nullable(amount), done: flagInteger, created: timestamp },
    Back: { title: line({ max: 100 }), day: nullable(date) },
  },
)

/** Notes, each with embedded objects that refer to it, which are read by a statement. */
const bookResource = defineResource({
  ...{ name: 'Book', path: 'book', table: 'notes' },
  fields: { id: idText, customer_id: idText, title: line({ max: 100 }) },
  sort: ['id', 'title'],
  embedded: { Sheet: sheets },
})

const sheetsOf = (db: Db) =>
  embeddedRows(
    db,
    sheets,
    (recordId) => sql`
      SELECT client_id, title, done, rank AS "Cover.rank", price AS "Cover.price", done AS "Cover.done", created AS "Cover.created",
        title AS "Back.title", day AS "Back.day"
      FROM notes AS sheet WHERE sheet.client_id = ${recordId} ORDER BY sheet.title DESC`,
  )

let served: ServedNotes
beforeAll(async () => {
  served = await serveNotes((db) => [
    resourceRoutes(
      shelfResource,
      resourceReads(db, shelfResource, { shelf: async (_, ids) => ids.map((id) => ({ id, name: `of ${id}` })) }),
    ),
    ...bothRoutes(bookResource, resourceReads(db, bookResource, { sheet: sheetsOf(db) })),
  ])
})
afterAll(() => served.stop())

describe('stored rows', () => {
  it('are encoded byte for byte as their records, with embedded and nested objects', async () => {
    const offices = fc.tuple(fc.uniqueArray(notes, { minLength: 2, maxLength: 6, selector: ({ title }) => title }), zones)
    await fc.assert(
      fc.asyncProperty(offices, async ([written, zone]) => {
        const { http, ids } = await officeWith(served, written, zone)
        const [first, second] = ids
        await served.rows('UPDATE notes SET client_id = CASE WHEN id % 2 = 0 THEN $1::bigint ELSE $2 END WHERE id = ANY ($3::bigint[])', [
          ...[first, second],
          ids.slice(1),
        ])
        for (const path of ['book', 'book?limit=2&sort=-title', `book/${first}`, `book/${ids.at(-1)}`]) await bothWays(http, path)
      }),
      { numRuns },
    )
  })

  it('have the embedded objects that the statement finds, in its order, and none where it finds none', async () => {
    const [note] = fc.sample(notes, 1) as [Note]
    const titled = ['a', 'b', 'c'].map((title) => ({
      ...note,
      title,
      client_id: null,
      done: title === 'b',
      rank: 7,
      price: null,
      day: '2026-11-21',
    }))
    const { http, ids } = await officeWith(
      served,
      titled.map((note) => ({ ...note, created: '2026-07-01T10:00:00Z' })),
      'Asia/Kathmandu',
    )
    const [first] = ids
    await served.rows('UPDATE notes SET client_id = $1 WHERE id = ANY ($2::bigint[])', [first, ids.slice(1)])
    const sheet = (title: string, done: number) => ({
      ...{ client_id: first, title, done: String(done) },
      Cover: { rank: '7', price: null, done, created: '2026-07-01 15:45:00' },
      Back: { title, day: '2026-11-21' },
    })
    const { body } = await http.get<{ Storedbook: { id: string }; Sheet: object[] }[]>('/stored-book')
    expect(body.map(({ Storedbook, Sheet }) => [Storedbook.id, Sheet])).toEqual([
      [first, [sheet('c', 0), sheet('b', 1)]],
      [ids[1], []],
      [ids[2], []],
    ])
  })

  it('become records where objects are embedded by a function', async () => {
    const [note] = fc.sample(notes, 1) as [Note]
    const { http, ids } = await officeWith(served, [{ ...note, title: 'one' }], 'UTC')
    const shelved = { Shelved: { id: ids[0], title: 'one' }, Shelf: { name: `of ${ids[0]}` } }
    expect((await http.get('/shelf')).body).toEqual([shelved])
    expect((await http.get(`/shelf/${ids[0]}`)).body).toEqual(shelved)
  })
})
