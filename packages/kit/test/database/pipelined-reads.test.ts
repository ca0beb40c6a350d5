import type { Socket } from 'node:net'
import { office, type ParamOf, prepared, sql } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { type Held, holdTransaction } from '@caseway/testing/held-transaction'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { ScopedClient, type ScopedClientConfig } from '../../src/database/connections/scoped-client.js'
import { toStatement } from '../../src/database/statements/statements.js'
import { type Db, type Notes, notesDatabase } from '../support/notes.js'
import { type PostgresProxy, postgresProxy } from '../support/postgres-proxy.js'

let notes: Notes
let proxy: PostgresProxy
let db: Db
beforeAll(async () => {
  notes = await notesDatabase()
})
beforeEach(async () => {
  proxy = await postgresProxy(notes.url)
  db = notes.open({ max: 4, connectTimeoutMs: 500 }, proxy.url)
})
afterEach(async () => {
  await db.close()
  proxy.stop()
})
afterAll(() => notes.stop())

interface Row {
  readonly title: string
  /** The process of PostgreSQL that serves the connection. */
  readonly process: number
}

/** Deliberately without a condition on the office: row-level security alone limits the rows. */
const visible = prepared((_: ParamOf<null>) => sql<Row>`SELECT title, pg_backend_pid() AS process FROM notes ORDER BY id`)
const failing = prepared((_: ParamOf<null>) => sql<Row>`SELECT title, 1 / (id - id) AS process FROM notes`)

const add = (customerId: bigint, title: string) => db.write(office(customerId), (tx) => tx.note.create({ data: { customerId, title } }))
const read = (customerId: bigint, database: Pick<Db, 'query'> = db.pipelined) => database.query(office(customerId), visible(null))
const titlesOf = (all: readonly (readonly Row[])[]) => all.map((rows) => rows.map(({ title }) => title))
const processesOf = (all: readonly (readonly Row[])[]) => new Set(all.flatMap((rows) => rows.map(({ process }) => process)))

/** Offices with one note each, which has the title `of <id>`. */
async function offices(count: number): Promise<bigint[]> {
  const ids = Array.from({ length: count }, randomId)
  for (const id of ids) await add(id, `of ${id}`)
  return ids
}

/** From now on the statements are prepared on one connection, the only one that is open. */
const prepare = (customerId: bigint) => read(customerId)

it('reads of one turn share a connection and a packet, each under its own scope', async () => {
  const ids = await offices(3)
  await prepare(ids[0] as bigint)
  const before = proxy.packets()
  const all = await Promise.all(ids.map((id) => read(id)))
  expect(proxy.packets() - before).toBe(1)
  expect(titlesOf(all)).toEqual(ids.map((id) => [`of ${id}`]))
})

it('reads of one packet are one write to the socket, also of a connection that has not prepared them', async () => {
  const connection = new ScopedClient({ connectionString: notes.url, pipeline: true } as ScopedClientConfig)
  await connection.connect()
  const ids = await offices(3)
  const reads = ids.map((id) => ({ scope: office(id), statement: toStatement(visible(null)) }))
  await connection.readOnce({ text: 'SELECT 1' }, office(1n))
  const stream = connection.connection.stream as Socket & { _writev(...args: unknown[]): void }
  const writes = [jest.spyOn(stream, '_write'), jest.spyOn(stream, '_writev')]
  for (let sent = 1; sent <= 2; sent++) {
    const answers = await Promise.all(connection.readAll(reads))
    expect(titlesOf(answers.map(({ rows }) => rows))).toEqual(ids.map((id) => [`of ${id}`]))
    expect(writes.flatMap(({ mock }) => mock.calls)).toHaveLength(sent)
  }
  await connection.end()
})

it('other reads of one turn have connections of their own', async () => {
  const ids = await offices(3)
  expect(processesOf(await Promise.all(ids.map((id) => read(id, db)))).size).toBe(3)
})

it('a packet has at most eight reads, and the next packet another connection', async () => {
  const [id = 0n] = await offices(1)
  const all = await Promise.all(Array.from({ length: 20 }, () => read(id)))
  const counts = Map.groupBy(all.flat(), ({ process }) => process)
  expect([...counts.values()].map(({ length }) => length).sort()).toEqual([4, 8, 8])
})

it('reads of texts share a connection as well', async () => {
  const [id = 0n] = await offices(1)
  const all = await Promise.all(['one', 'other'].map(() => db.pipelined.queryTexts(office(id), visible(null))))
  expect(all).toEqual([[[`of ${id}`, expect.stringMatching(/^\d+$/)]], [[`of ${id}`, all[0]?.[0]?.[1]]]])
})

it.each([
  ['findFirst is one of them', 'findFirst', 1],
  ['findMany is not', 'findMany', 3],
] as const)("of Prisma's reads, %s", async (_, operation, connections) => {
  const ids = await offices(3)
  for (const id of ids) await db.read(office(id)).note[operation]()
  const before = proxy.attempts()
  await Promise.all(ids.map((id) => db.read(office(id)).note[operation]()))
  expect(proxy.attempts() - before + 1).toBe(connections)
})

it('a read that fails affects none of the others in its packet', async () => {
  const [id = 0n] = await offices(1)
  await prepare(id)
  const [before, failed, after] = await Promise.allSettled([read(id), db.pipelined.query(office(id), failing(null)), read(id)])
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('division by zero') } })
  for (const one of [before, after]) expect(one).toMatchObject({ status: 'fulfilled', value: [{ title: `of ${id}` }] })
})

it('each read has its own error when the statement that they share cannot be prepared', async () => {
  const [id = 0n] = await offices(1)
  const misspelt = prepared((_: ParamOf<null>) => sql<Row>`SELECT titel FROM notes`)
  const all = await Promise.allSettled(Array.from({ length: 3 }, () => db.pipelined.query(office(id), misspelt(null))))
  expect(all).toEqual(Array(3).fill({ status: 'rejected', reason: expect.objectContaining({ code: '42703' }) }))
})

it.each(['before', 'answered'] as const)('all reads of a packet are sent again when their connection is lost (%s)', async (when) => {
  const ids = await offices(3)
  await prepare(ids[0] as bigint)
  proxy.cut('kit_read_scope', when)
  const all = await Promise.all(ids.map((id) => read(id)))
  expect(titlesOf(all)).toEqual(ids.map((id) => [`of ${id}`]))
})

describe('a read that waits for a lock until its timeout', () => {
  const lockedTable = prepared((_: ParamOf<null>) => sql<Row>`SELECT body AS title, pg_backend_pid() AS process FROM note_comments`)
  const readLocked = (customerId: bigint) => db.pipelined.query(office(customerId), lockedTable(null))
  let held: Held
  beforeEach(async () => {
    await db.close()
    db = notes.open({ max: 4, lockTimeoutMs: 2000 }, proxy.url)
    // Prepares the statements, because Parse needs the lock as well.
    await Promise.all([readLocked(1n), read(1n)])
    held = await holdTransaction(notes, 'LOCK TABLE note_comments IN ACCESS EXCLUSIVE MODE')
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    await held.rollback()
  })

  it('delays those after it by one timeout, not by one for each', async () => {
    const [id = 0n] = await offices(1)
    // Makes the pauses before repeated transactions equal: reads that were repeated as they are would share a packet again.
    jest.spyOn(Math, 'random').mockReturnValue(0)
    const settled: string[] = []
    const reads = [readLocked(id), readLocked(id), readLocked(id), read(id)]
    await Promise.all(
      reads.map((answer) =>
        answer.then(
          ([row]) => settled.push(row?.title ?? ''),
          ({ kind }) => settled.push(kind),
        ),
      ),
    )
    expect(settled).toEqual(['unavailable', `of ${id}`, 'unavailable', 'unavailable'])
  })

  it('keeps its connection when no other read waits for it', async () => {
    const [id = 0n] = await offices(1)
    const before = proxy.attempts()
    const [first, last] = await Promise.allSettled([read(id), readLocked(id)])
    expect([first.status, last.status]).toEqual(['fulfilled', 'rejected'])
    await read(id)
    expect(proxy.attempts()).toBe(before)
  })
})

it('a pipelined statement cannot write', async () => {
  const insert = prepared((_: ParamOf<null>) => sql`INSERT INTO notes (customer_id, title) VALUES (1, 'written')`)
  await expect(db.pipelined.query(office(1n), insert(null))).rejects.toMatchObject({ code: '25006' })
})

it('a pipelined read inside of a write sees what was written, and no other read joins the transaction', async () => {
  const [id, other] = [randomId(), ...(await offices(1))] as [bigint, bigint]
  const [within, outside] = await Promise.all([
    db.write(office(id), async (tx) => {
      await tx.note.create({ data: { customerId: id, title: 'written' } })
      const rows = await read(id)
      expect(titlesOf([rows])).toEqual([['written']])
      return rows
    }),
    read(other),
  ])
  expect(processesOf([within, outside]).size).toBe(2)
})

it('each read of a packet is unavailable when no connection is free in time', async () => {
  const [id = 0n] = await offices(1)
  const held = Array.from({ length: 4 }, () =>
    db.write(office(id), async (tx) => {
      await tx.note.count()
      await Promise.allSettled(refused)
    }),
  )
  const refused = ['one', 'other'].map(() => read(id))
  for (const one of refused) await expect(one).rejects.toMatchObject({ kind: 'unavailable' })
  await Promise.all(held)
  expect(titlesOf([await read(id)])).toEqual([[`of ${id}`]])
})
