import { office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Db, type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())

interface Note {
  readonly customerId: bigint
  readonly title: string
}
const insert = prepared(
  (param: ParamOf<Note>) =>
    sql`INSERT INTO notes (customer_id, title) VALUES (${param(({ customerId }) => customerId)}, ${param(({ title }) => title)})`,
)
const select = prepared((_: ParamOf<null>) => sql<{ id: bigint }>`SELECT id FROM notes LIMIT 1`)

const ways: readonly [string, (db: Db, note: Note) => Promise<unknown>][] = [
  ['a write', (db, note) => db.write(office(note.customerId), (tx) => tx.note.create({ data: note }))],
  [
    'a write that catches errors',
    (db, note) => db.write(office(note.customerId), (tx) => tx.note.create({ data: note }).catch(() => undefined)),
  ],
  ['a batch', (db, note) => db.batch(office(note.customerId), insert(note))],
  [
    'a deferred transaction, with its first write,',
    (db, note) =>
      db.deferred(office(note.customerId), {
        first: select(null),
        isRefusal: () => false,
        work: () => db.write(office(note.customerId), (tx) => tx.note.create({ data: note })),
        keeps: () => true,
        last: () => select(null),
      }),
  ],
  [
    'a deferred transaction, with its last statement,',
    (db, note) =>
      db.deferred(office(note.customerId), {
        first: select(null),
        isRefusal: () => false,
        work: () => db.write(office(note.customerId), (tx) => tx.note.count()),
        keeps: () => true,
        last: () => insert(note),
      }),
  ],
]

/** What follows on the only connection of `db` is like the statements of a standby. */
const makeReadOnly = (db: Db) => db.write(office(randomId()), (tx) => tx.$executeRaw`SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY`)

describe.each(ways)('%s on a connection to a server that has become read-only', (_, write) => {
  it('is unavailable, and the next one uses a new connection', async () => {
    const db = notes.open({ max: 1 })
    const customerId = randomId()
    await write(db, { customerId, title: 'before' })
    await makeReadOnly(db)
    await expect(write(db, { customerId, title: 'refused' })).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 })
    await write(db, { customerId, title: 'after' })
    expect(await notes.titlesOf(customerId)).toEqual(['before', 'after'])
  })
})

it('a grouped batch that a read-only server has refused is committed over a new connection', async () => {
  const db = notes.open({ max: 1 })
  const customerId = randomId()
  await makeReadOnly(db)
  await db.groupedBatch(office(customerId), insert({ customerId, title: 'once' }))
  expect(await notes.titlesOf(customerId)).toEqual(['once'])
})
