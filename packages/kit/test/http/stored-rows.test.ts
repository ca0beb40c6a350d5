import { hash } from 'node:crypto'
import { embeddedRows, type ResourceReads, resourceReads, sql } from '@caseway/kit/database'
import {
  amount,
  choice,
  date,
  flagInteger,
  flagText,
  idInteger,
  idText,
  integer,
  integerText,
  line,
  nullable,
  timestamp,
} from '@caseway/kit/fields'
import { resourceRoutes } from '@caseway/kit/http'
import { defineResource, many, one, type Resource } from '@caseway/kit/resource'
import { type HttpClient, having, testTenant } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Db } from '../support/notes.js'
import { type ServedNotes, serveNotes } from './support/notes.js'
import { onTheClocksOf } from './support/served.js'

/** The notes once more: every kind of field that a column can have, and with `path` who puts the rows on the wire. */
const notesWith = (path: string, listAs?: 'results') =>
  defineResource({
    name: 'Note',
    path,
    table: 'notes',
    fields: {
      id: idText,
      customer_id: idText,
      client_id: nullable(idInteger),
      title: line({ max: 100 }),
      rank: nullable(integerText({ min: -100, max: 100 })),
      price: nullable(amount),
      day: nullable(date),
      done: flagText,
      created: timestamp,
      modified: timestamp,
    },
    sort: ['id', 'client_id', 'title', 'rank', 'price', 'day', 'done', 'created'],
    ...(listAs && { listAs }),
  })

const wordsWith = (path: string) =>
  defineResource({
    name: 'Word',
    path,
    table: 'notes',
    fields: { id: idInteger, title: choice('new', '3', '"ż"'), rank: nullable(integer({ min: -100, max: 100 })), done: flagInteger },
    sort: ['id'],
  })

/** Beside each of them an object that is read by its id. */
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

/** Beside each of them those that name it, read by a statement. */
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

/** The reads of a resource at two addresses: as they are, and of somebody who has a list of their own, and is given records. */
const bothRoutes = <R extends Resource>(resource: R, { list, get }: ResourceReads<R>) => [
  resourceRoutes({ ...resource, name: `Stored${resource.path}`, path: `stored-${resource.path}` }, { list, get }),
  resourceRoutes(
    { ...resource, name: `Record${resource.path}`, path: `record-${resource.path}` },
    { list: (caller, query) => list(caller, query), get: (caller, id) => get(caller, id) },
  ),
]

let served: ServedNotes
beforeAll(async () => {
  served = await serveNotes((db) => [
    resourceRoutes(
      shelfResource,
      resourceReads(db, shelfResource, { shelf: async (_, ids) => ids.map((id) => ({ id, name: `of ${id}` })) }),
    ),
    ...[notesWith('note'), notesWith('page', 'results')].flatMap((resource) => bothRoutes(resource, resourceReads(db, resource))),
    ...bothRoutes(wordsWith('word'), resourceReads(db, wordsWith('word'))),
    ...bothRoutes(bookResource, resourceReads(db, bookResource, { sheet: sheetsOf(db) })),
  ])
})
afterAll(() => served.stop())

const numRuns = Number(process.env.FUZZ_RUNS ?? 25)

/** The same address of both, by what is said of it: `stored`, or `record`. */
async function bothWays(http: HttpClient, path: string): Promise<void> {
  const answer = async (way: 'stored' | 'record') => {
    const { status, text, headers } = await http.get(`/${way}-${path}`)
    const said = ['content-type', 'content-length', 'etag', 'cache-control', 'link', 'x-total-count'].map((name) => headers.get(name))
    return (
      JSON.stringify([status, text, said])
        // The names of the two are in the text of which it is the digest.
        .replaceAll(hash('sha256', text, 'base64url').slice(0, 16), '')
        .replaceAll(way, '')
        .replaceAll(way === 'stored' ? 'Stored' : 'Record', '')
    )
  }
  expect(await answer('stored')).toBe(await answer('record'))
}

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('"\\', '\u2028', '\u0000', '\u0001\u001f\u007f', 'żółć', '😀', '</script>', '', 'a'.repeat(90)),
)
/** What PostgreSQL can store. */
const stored = (text: string) => text.replaceAll('\0', '').toWellFormed()

const bigints = fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.constantFrom(0n, -1n, 2n ** 53n + 1n, 2n ** 63n - 1n))
const zones = fc.constantFrom(
  'Europe/Warsaw',
  'UTC',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Chatham',
  'Africa/Monrovia',
)

/** Anywhere, around the changes of clocks in 2026 and 1971, and in microseconds. */
const moments = fc
  .tuple(
    fc.oneof(
      fc.date({ min: new Date('1000-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
      fc
        .tuple(
          fc.constantFrom(
            '2026-03-29T01:00:00Z',
            '2026-10-25T01:00:00Z',
            '2026-04-04T15:00:00Z',
            '2026-11-01T04:30:00Z',
            '1972-01-07T00:44:30Z',
          ),
          fc.integer({ min: -7_200_000, max: 7_200_000 }),
        )
        .map(([change, ms]) => new Date(Date.parse(change) + ms)),
    ),
    fc.integer({ min: 0, max: 999 }),
  )
  .map(([moment, microseconds]) => moment.toISOString().replace('Z', `${String(microseconds).padStart(3, '0')}Z`))

const notes = fc.record({
  client_id: fc.option(bigints),
  title: texts.map(stored),
  rank: fc.option(fc.integer()),
  price: fc.option(fc.integer({ min: 0, max: 10 ** 12 - 1 }).map((cents) => (cents / 100).toFixed(2))),
  day: fc.option(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }).map((day) => day.toISOString().slice(0, 10)),
  ),
  done: fc.boolean(),
  created: moments,
  modified: moments,
})
type Note = typeof notes extends fc.Arbitrary<infer Value> ? Value : never

async function officeWith(written: readonly Note[], zone: string) {
  const { customerId, expert } = testTenant(served.issuer)
  onTheClocksOf(customerId, zone)
  const rows = JSON.stringify(written, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const inserted = await served.rows<{ id: string }>(
    `INSERT INTO notes (customer_id, client_id, title, rank, price, day, done, created, modified)
     SELECT $1, client_id, title, rank, price, day, done, created, modified FROM jsonb_populate_recordset(NULL::notes, $2::jsonb) RETURNING id`,
    [customerId, rows],
  )
  return { http: served.asExpert(expert), ids: inserted.map(({ id }) => id) }
}

describe('rows that no rule looks at', () => {
  it('are answered byte for byte as their records', async () => {
    const offices = fc.tuple(fc.uniqueArray(notes, { maxLength: 6, selector: ({ title }) => title }), zones)
    await fc.assert(
      fc.asyncProperty(offices, async ([written, zone]) => {
        const { http, ids } = await officeWith(written, zone)
        for (const path of ['note', 'note?count=1&limit=2', 'page', 'page?limit=1', 'word']) await bothWays(http, path)
        for (const id of ids.slice(0, 2)) await bothWays(http, `note/${id}`)
      }),
      { numRuns },
    )
  })

  it('are answered byte for byte as their records with objects beside them, and others within those', async () => {
    const offices = fc.tuple(fc.uniqueArray(notes, { minLength: 2, maxLength: 6, selector: ({ title }) => title }), zones)
    await fc.assert(
      fc.asyncProperty(offices, async ([written, zone]) => {
        const { http, ids } = await officeWith(written, zone)
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

  it('have the objects beside them that the statement finds, in its order, and none where it finds none', async () => {
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

  it.each(['id', 'client_id', 'title', 'rank', 'price', 'day', 'done', 'created'])(
    'lead to the same next page in the order of %s',
    async (sort) => {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(notes, { minLength: 3, maxLength: 3, selector: ({ title }) => title }), async (written) => {
          const { http } = await officeWith(written, 'Europe/Warsaw')
          for (const path of [`note?limit=1&sort=${sort}`, `note?limit=2&sort=${sort}`]) await bothWays(http, path)
        }),
        { numRuns: numRuns / 5 },
      )
    },
  )

  it('are those of one office at a time, each on its own clocks', async () => {
    const [note] = fc.sample(notes, 1) as [Note]
    const shown = async (zone: string) => {
      const { http, ids } = await officeWith([{ ...note, created: '2026-07-01T10:00:00Z' }], zone)
      return (await http.get<{ Notenote: { created: string } }>(`/stored-note/${ids[0]}`)).text
    }
    expect(await shown('Asia/Kathmandu')).toContain('"created":"2026-07-01 15:45:00"')
    expect(await shown('UTC')).toContain('"created":"2026-07-01 10:00:00"')
  })

  it('become records where objects stand beside them', async () => {
    const [note] = fc.sample(notes, 1) as [Note]
    const { http, ids } = await officeWith([{ ...note, title: 'one' }], 'UTC')
    const shelved = { Shelved: { id: ids[0], title: 'one' }, Shelf: { name: `of ${ids[0]}` } }
    expect((await http.get('/shelf')).body).toEqual([shelved])
    expect((await http.get(`/shelf/${ids[0]}`)).body).toEqual(shelved)
  })

  it('answer 304 and 404 as records do', async () => {
    const [note] = fc.sample(notes, 1) as [Note]
    const { http, ids } = await officeWith([note], 'UTC')
    for (const way of ['stored', 'record']) {
      const known = await http.get(`/${way}-note/${ids[0]}`)
      expect(await http.get(`/${way}-note/${ids[0]}`, having(known))).toMatchObject({ status: 304, text: '' })
      expect(await http.get(`/${way}-note/1`)).toMatchObject({ status: 404 })
    }
  })
})
