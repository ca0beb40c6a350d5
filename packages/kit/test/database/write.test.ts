import { office, onViolation, platform } from '@caseway/kit/database'
import { AppError, conflict } from '@caseway/kit/errors'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CompiledQuery } from 'kysely'
import { type Db, type Notes, notesDatabase, type Tx } from '../support/notes.js'

let notes: Notes
let db: Db
beforeAll(async () => {
  notes = await notesDatabase()
  db = notes.db
})
afterAll(() => notes.stop())

const create = (customerId: bigint, title: string) => db.write(office(customerId), (tx) => tx.note.create({ data: { customerId, title } }))
const unavailable = expect.objectContaining({ kind: 'unavailable' })
const retries = async () => (await notes.metrics.databaseRetries.get()).values[0]?.value ?? 0
/** Terminates every other connection to this database, as a restart of the server does. */
const disconnect = () =>
  notes.rows('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()')

describe('write', () => {
  it('runs once when a statement violates a constraint', async () => {
    const id = randomId()
    let runs = 0
    const failing = db.write(office(id), async (tx) => {
      runs++
      await tx.$executeRaw`INSERT INTO notes (customer_id, title) VALUES (${id}, NULL)`
    })
    await expect(failing).rejects.toMatchObject({ code: '23502' })
    expect(runs).toBe(1)
  })

  it('writes nothing when its work throws', async () => {
    const id = randomId()
    const failing = db.write(office(id), async (tx) => {
      await tx.note.create({ data: { customerId: id, title: 'undone' } })
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await notes.titlesOf(id)).toEqual([])
  })

  it('joins the transaction in which it is called, whose reads see its writes', async () => {
    const id = randomId()
    const failing = db.write(office(id), async () => {
      await create(id, 'inner')
      expect(await db.read(office(id)).note.count()).toBe(1)
      expect(await db.query(office(id), CompiledQuery.raw('SELECT title FROM notes'))).toEqual([{ title: 'inner' }])
      throw new Error('outer')
    })
    await expect(failing).rejects.toThrow('outer')
    expect(await notes.titlesOf(id)).toEqual([])
  })

  it('is rolled back alone when it fails inside of another one', async () => {
    const id = randomId()
    await db.write(office(id), async (tx) => {
      await tx.note.create({ data: { customerId: id, title: 'first' } })
      await expect(create(id, 'first')).rejects.toThrow(/notes_customer_id_title_key/)
      await create(id, 'second')
    })
    expect(await notes.titlesOf(id)).toEqual(['first', 'second'])
  })

  it('takes turns with others that join the same transaction', async () => {
    const id = randomId()
    await db.write(office(id), () => Promise.all(['a', 'b', 'c'].map((title) => create(id, title))))
    expect(await notes.titlesOf(id)).toEqual(['a', 'b', 'c'])
  })

  it('runs each statement under the scope of its own call, in one transaction', async () => {
    const [one, other] = [randomId(), randomId()]
    await db.write(office(one), async (tx) => {
      await tx.note.create({ data: { customerId: one, title: 'one' } })
      await create(other, 'other')
      expect(await tx.note.findMany({ select: { title: true } })).toEqual([{ title: 'one' }])
      expect(await db.read(office(other)).note.findMany({ select: { title: true } })).toEqual([{ title: 'other' }])
      const counts = [office(one), office(other), platform].map((scope) =>
        db.read(scope).note.count({ where: { customerId: { in: [one, other] } } }),
      )
      expect(await Promise.all(counts)).toEqual([1, 1, 2])
    })
    expect([await notes.titlesOf(one), await notes.titlesOf(other)]).toEqual([['one'], ['other']])
  })

  it('includes a transaction that Prisma begins by itself', async () => {
    const id = randomId()
    const failing = db.write(office(id), async (tx) => {
      const note = { customerId: id, title: 'by Prisma' }
      await tx.note.upsert({ where: { id: randomId() }, create: note, update: { rank: 1 } })
      expect(await tx.note.count()).toBe(1)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await notes.titlesOf(id)).toEqual([])
  })

  it('runs again after a serialization failure', async () => {
    const id = randomId()
    const { id: noteId } = await create(id, 'counted')
    const before = await retries()
    const bothHaveRead = Promise.withResolvers<void>()
    let reads = 0
    const increment = () =>
      db.write(
        office(id),
        async (tx) => {
          const note = await tx.note.findFirstOrThrow({ where: { id: noteId } })
          if (++reads === 2) bothHaveRead.resolve()
          await bothHaveRead.promise
          await tx.note.updateMany({ where: { id: noteId }, data: { rank: (note.rank ?? 0) + 1 } })
        },
        { isolation: 'RepeatableRead' },
      )
    await Promise.all([increment(), increment()])
    expect(await notes.rows('SELECT rank FROM notes WHERE id = $1', [noteId])).toEqual([{ rank: 2 }])
    expect(reads).toBe(3)
    expect(await retries()).toBe(before + 1)
  })

  it('fails after the third try', async () => {
    let tries = 0
    const fail = async () => {
      tries++
      throw Object.assign(new Error('could not serialize'), { code: '40001' })
    }
    await expect(db.write(platform, fail)).rejects.toEqual(unavailable)
    expect(tries).toBe(3)
  })

  it('runs again when the connection is lost before the commit', async () => {
    const id = randomId()
    let tries = 0
    await db.write(office(id), async (tx) => {
      await tx.note.create({ data: { customerId: id, title: 'once' } })
      if (++tries === 1) await disconnect()
      await tx.note.count()
    })
    expect(tries).toBe(2)
    expect(await notes.titlesOf(id)).toEqual(['once'])
  })
})

describe('an error', () => {
  it('of a unique constraint becomes the error of the repository', async () => {
    const id = randomId()
    const taken = conflict('TITLE_TAKEN', 'There is a note of that title.')
    const createOnce = (constraint: string) =>
      create(id, 'same').catch((error) => {
        throw onViolation(error, constraint, taken)
      })
    await createOnce('notes_customer_id_title_key')
    await expect(createOnce('notes_customer_id_title_key')).rejects.toBe(taken)
    await expect(createOnce('another_key')).rejects.not.toBeInstanceOf(AppError)
    expect(onViolation('text', 'another_key', taken)).toBe('text')
  })

  it('is recognized by the name of its constraint, not by a text that contains it', async () => {
    const id = randomId()
    const [taken, another] = [conflict('TITLE_TAKEN', 'There is a note of that title.'), conflict('ANOTHER', 'Another.')]
    const raise = `DO $$ BEGIN RAISE EXCEPTION 'not "notes_customer_id_title_key"' USING ERRCODE = '23505', CONSTRAINT = 'another_key'; END $$`
    const raw = (title: string) => (tx: Tx) => tx.$executeRaw`INSERT INTO notes (customer_id, title) VALUES (${id}, ${title})`
    const failureOf = (work: (tx: Tx) => Promise<unknown>) => db.write(office(id), work).catch((error: unknown) => error)
    await create(id, 'same')
    for (const error of [
      await failureOf(raw('same')),
      await failureOf((tx) => tx.note.create({ data: { customerId: id, title: 'same' } })),
    ]) {
      expect(onViolation(error, 'notes_customer_id_title_key', taken)).toBe(taken)
      expect(onViolation(error, 'another_key', another)).toBe(error)
    }
    const raised = await failureOf((tx) => tx.$executeRawUnsafe(raise))
    expect(onViolation(raised, 'notes_customer_id_title_key', taken)).toBe(raised)
    expect(onViolation(raised, 'another_key', another)).toBe(another)
  })

  it('of a lock timeout is unavailable', async () => {
    const id = randomId()
    const impatient = notes.open({ lockTimeoutMs: 50 })
    await create(id, 'locked')
    await db.write(office(id), async (tx) => {
      await tx.note.updateMany({ data: { rank: 1 } })
      // A write of another database object does not join this transaction.
      const blocked = impatient.write(office(id), (tx) => tx.note.updateMany({ data: { rank: 2 } }))
      await expect(blocked).rejects.toEqual(unavailable)
    })
  })

  it('of a statement that takes too long is unavailable', async () => {
    const slow = notes.open({ statementTimeoutMs: 50 })
    await expect(slow.query(platform, CompiledQuery.raw('SELECT pg_sleep(1)'))).rejects.toEqual(unavailable)
  })

  it('of a pool without a free connection is unavailable, at once for reads and writes', async () => {
    const small = notes.open({ max: 1, connectTimeoutMs: 300 })
    const entered = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const holder = small.write(platform, async () => {
      entered.resolve()
      await leave.promise
    })
    await entered.promise
    await expect(small.read(platform).note.count()).rejects.toEqual(unavailable)
    await expect(small.write(platform, (tx) => tx.note.count())).rejects.toEqual(unavailable)
    leave.resolve()
    await holder
  })

  it('of a lost database is unavailable, until it is back', async () => {
    await disconnect()
    const answers = await Promise.allSettled(Array.from({ length: 4 }, () => db.read(platform).note.count()))
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toEqual(unavailable)
    expect(await db.read(platform).note.count()).toBeGreaterThanOrEqual(0)
  })
})
