import { office, platform, type Scoped, statements } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CompiledQuery } from 'kysely'
import { connectionSettings } from '../../src/database/connections/pool-settings.js'
import { ScopedClient } from '../../src/database/connections/scoped-client.js'
import { ScopedPool } from '../../src/database/connections/scoped-pool.js'
import { createContexts } from '../../src/database/transactions/context.js'
import { createRepeat } from '../../src/database/transactions/repeat.js'
import { employeeOf, type Notes, notesDatabase, someClient } from '../support/notes.js'

let notes: Notes
beforeAll(async () => {
  // 50 writers wait for 8 connections, on a machine that may be busy.
  notes = await notesDatabase({ max: 8, connectTimeoutMs: 20_000 })
})
afterAll(() => notes.stop())

/** Deliberately without a condition on the tenant: row-level security alone limits the rows. */
const everyNote = statements<{ notes: { customer_id: bigint; title: string } }>()
  .selectFrom('notes')
  .select(['customer_id as customerId', 'title'])
  .compile()

const write = (customerId: bigint, title: string) =>
  notes.db.write(office(customerId), (tx) => tx.note.create({ data: { customerId, title } }))

describe('a tenant', () => {
  it('never sees rows of another one, with 50 offices and 32 concurrent readers', async () => {
    const offices = Array.from({ length: 50 }, randomId)
    await Promise.all(offices.map((id) => write(id, `of ${id}`)))
    const { db } = notes
    const ways = [
      (id: bigint) => db.read(office(id)).note.findMany({}),
      (id: bigint) => db.query(office(id), everyNote),
      (id: bigint) => db.pipelined.query(office(id), everyNote),
    ]
    const reads = Array.from({ length: 2000 }, (_, index) => ({ id: offices[(index * 7) % 50] as bigint, read: ways[index % 3] }))
    let right = 0
    const reader = async () => {
      for (let next = reads.pop(); next; next = reads.pop()) {
        const { id, read } = next
        const rows = (await read?.(id)) ?? []
        if (rows.length === 1 && rows[0]?.customerId === id && rows[0].title === `of ${id}`) right++
      }
    }
    await Promise.all(Array.from({ length: 32 }, reader))
    expect(right).toBe(2000)
  })

  it('is the office of an employee, the id of a client, and everything for the platform', async () => {
    const [one, other] = [randomId(), randomId()]
    const client = someClient()
    await write(one, 'of one')
    await notes.db.write(office(other), (tx) =>
      tx.note.create({ data: { customerId: other, clientId: client.userId, title: 'of the client' } }),
    )
    const titles = async (who: Scoped) => {
      const found = await notes.db.read(who).note.findMany({ where: { customerId: { in: [one, other] } }, orderBy: { id: 'asc' } })
      return found.map(({ title }) => title)
    }
    expect(await titles(employeeOf(one))).toEqual(['of one'])
    expect(await titles(client)).toEqual(['of the client'])
    expect(await titles(platform)).toEqual(['of one', 'of the client'])
    expect(await titles({ ...client, audience: 'expert', role: 'technical' })).toEqual(['of one', 'of the client'])
  })

  it('cannot write into another office', async () => {
    const foreign = notes.db.write(office(randomId()), (tx) => tx.note.create({ data: { customerId: randomId(), title: 'foreign' } }))
    await expect(foreign).rejects.toThrow(/row-level security/)
  })

  it('changes and deletes nothing of another office', async () => {
    const [mine, other] = [randomId(), randomId()]
    await write(other, 'stays')
    await notes.db.write(office(mine), async (tx) => {
      expect(await tx.note.updateMany({ where: { customerId: other }, data: { title: 'gone' } })).toEqual({ count: 0 })
      expect(await tx.note.deleteMany({ where: { customerId: other } })).toEqual({ count: 0 })
    })
    expect(await notes.rows('SELECT title FROM notes WHERE customer_id = $1', [other])).toEqual([{ title: 'stays' }])
  })
})

describe('a statement', () => {
  it('without a scope throws', async () => {
    const pool = new ScopedPool(connectionSettings(notes.url), createContexts(), createRepeat(notes.metrics))
    await expect(pool.query({ text: 'SELECT 1' })).rejects.toThrow(/no scope/)
    await expect(pool.connect()).rejects.toThrow(/no scope/)
    await pool.end()
  })

  it('of `read` cannot be `findUnique`, which Prisma combines with others, or a write', async () => {
    const reader = notes.db.read(office(1n)) as unknown as Record<string, Record<string, unknown>>
    expect(Object.keys(reader.note ?? {}).sort()).toEqual(['aggregate', 'count', 'findFirst', 'findFirstOrThrow', 'findMany', 'groupBy'])
    expect(reader.$transaction).toBeUndefined()
    expect(reader.$queryRaw).toBeUndefined()
  })

  it('of a query cannot write', async () => {
    const insert = CompiledQuery.raw("INSERT INTO notes (customer_id, title) VALUES (1, 'x')")
    await expect(notes.db.query(office(1n), insert)).rejects.toThrow(/read-only transaction/)
  })

  it('that fails rejects with its own error, and leaves no scope on the connection', async () => {
    const id = randomId()
    await write(id, 'there')
    const alone = notes.open({ max: 1 })
    const divide = CompiledQuery.raw('SELECT 1 / ($1::int - 1) AS ratio', [1])
    for (const _ of [1, 2, 3]) await expect(alone.query(office(id), divide)).rejects.toThrow('division by zero')
    expect(await alone.query(office(id), everyNote)).toEqual([{ customerId: id, title: 'there' }])
    const [backends] = await notes.rows<{ count: string }>(
      "SELECT count(DISTINCT pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()",
    )
    expect(backends).toEqual({ count: '0' })
  })

  it('leaves no setting of its scope on the connection', async () => {
    const id = randomId()
    const connection = new ScopedClient({ connectionString: notes.url, pipeline: true } as never)
    await connection.connect()
    await connection.readOnce({ text: 'SELECT 1' }, office(id))
    connection.begin('ReadCommitted')
    await connection.send({ text: 'SELECT 1' }, office(id))
    await connection.commit()
    const { rows } = await connection.control("SELECT current_setting('app.customer_id', true) AS office")
    await connection.end()
    expect(rows).toEqual([{ office: '' }])
  })

  it('returns 64-bit integers as bigint, timestamps as Date, and dates and numerics as text', async () => {
    // A connection sets the formats by itself, whatever its database sets.
    const name = new URL(notes.url).pathname.slice(1)
    for (const setting of ["timezone = 'America/New_York'", "datestyle = 'German'"])
      await notes.rows(`ALTER DATABASE "${name}" SET ${setting}`)
    const text = `SELECT 9007199254740993 AS big, ARRAY[9007199254740993] AS bigs, date '2026-11-21' AS day, ARRAY[date '2026-11-21'] AS days,
      1.10::numeric AS price, timestamptz '2026-11-21 09:30:00.123+01' AS moment, current_setting('timezone') AS zone`
    expect(await notes.open().query(platform, CompiledQuery.raw(text))).toEqual([
      {
        big: 9007199254740993n,
        bigs: [9007199254740993n],
        day: '2026-11-21',
        days: ['2026-11-21'],
        price: '1.10',
        moment: new Date('2026-11-21T08:30:00.123Z'),
        zone: 'UTC',
      },
    ])
  })
})
