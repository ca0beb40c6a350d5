import { office } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CompiledQuery } from 'kysely'
import { add, addRaw, afterTheEnd, create, failedBefore, failingStatement, upsert } from '../support/note-writes.js'
import { type Db, type Notes, notesDatabase, type Tx } from '../support/notes.js'

let notes: Notes
let db: Db
/** A pool of one connection, so that the next transaction meets everything that is left on it. */
let one: Db
beforeAll(async () => {
  notes = await notesDatabase()
  db = notes.db
  one = notes.open({ max: 1 })
})
afterAll(() => notes.stop())

describe('a statement that is sent after the end of its transaction', () => {
  it.each(['fails', 'succeeds'])(
    'as a nested write that %s while the next one has a savepoint of its own changes nothing there',
    async (how) => {
      const [a, b] = [randomId(), randomId()]
      const begun = Promise.withResolvers<void>()
      const gate = Promise.withResolvers<void>()
      let late: Promise<unknown> = Promise.resolve()
      const refused = one.write(office(a), async () => {
        late = one.write(office(a), async () => {
          begun.resolve()
          await gate.promise
          if (how === 'fails') throw new Error('later')
        })
        late.catch(() => undefined)
        await begun.promise
        throw new Error('refused meanwhile')
      })
      await expect(refused).rejects.toThrow('refused meanwhile')
      await one.write(office(b), async () => {
        await one.write(office(b), async (tx) => {
          await add(tx, b, 'first')
          gate.resolve()
          await expect(late).rejects.toThrow(how === 'fails' ? 'later' : afterTheEnd)
          await add(tx, b, 'second')
        })
      })
      expect(await notes.titlesOf(b)).toEqual(['first', 'second'])
      expect(await notes.titlesOf(a)).toEqual([])
    },
  )

  const statements: [string, (db: Db, tx: Tx, id: bigint) => Promise<unknown>][] = [
    ['a nested write', (db, _, id) => create(db, id, 'late')],
    ['a nested write that sends nothing', (db, _, id) => db.write(office(id), async () => 'done')],
    ['a statement of Prisma', (_, tx, id) => add(tx, id, 'late')],
    ['a transaction of Prisma', (_, tx, id) => upsert(tx, id, 'late')],
    ['a raw statement', (_, tx, id) => addRaw(tx, id, 'late')],
    ['a read', (db, _, id) => db.read(office(id)).note.count()],
    ['a query', (db, _, id) => db.query(office(id), CompiledQuery.raw('SELECT 1'))],
  ]
  it.each(statements)('throws, as %s, after the transaction was undone or committed', async (_, send) => {
    for (const outcome of ['undone', 'committed']) {
      const id = randomId()
      const gate = Promise.withResolvers<void>()
      let late: Promise<unknown> = Promise.resolve()
      const work = one.write(office(id), async (tx) => {
        await tx.note.count()
        late = gate.promise.then(() => send(one, tx, id))
        late.catch(() => undefined)
        if (outcome === 'undone') throw new Error('undone')
      })
      await work.catch(() => undefined)
      gate.resolve()
      await expect(late).rejects.toThrow(afterTheEnd)
      expect(await notes.titlesOf(id)).toEqual([])
    }
  })

  it.each(statements)('throws, as %s of a nested write, while the transaction goes on', async (_, send) => {
    const id = randomId()
    await one.write(office(id), async (tx) => {
      const gate = Promise.withResolvers<void>()
      let late: Promise<unknown> = Promise.resolve()
      await one.write(office(id), async (tx) => {
        late = gate.promise.then(() => send(one, tx, id))
        late.catch(() => undefined)
      })
      gate.resolve()
      await expect(late).rejects.toThrow(afterTheEnd)
      await add(tx, id, 'kept')
    })
    expect(await notes.titlesOf(id)).toEqual(['kept'])
  })
})

describe('a transaction', () => {
  it('that fails is rolled back before its connection is used again', async () => {
    const [a, b] = [randomId(), randomId()]
    const refused = one.write(office(a), async (tx) => {
      await add(tx, a, 'undone')
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    await create(one, b, 'kept')
    expect([await notes.titlesOf(a), await notes.titlesOf(b)]).toEqual([[], ['kept']])
  })

  it('in which a statement failed is not committed although the work caught the error', async () => {
    const id = randomId()
    const work = db.write(office(id), async (tx) => {
      await add(tx, id, 'undone')
      await failingStatement(tx).catch(() => undefined)
    })
    await expect(work).rejects.toThrow(failedBefore)
    expect(await notes.titlesOf(id)).toEqual([])
  })

  it('waits for the statements that its work did not await', async () => {
    const id = randomId()
    const outcomes: string[] = []
    await db.write(office(id), async (tx) => {
      void addRaw(tx, id, 'not awaited').then(() => outcomes.push('written'))
    })
    expect([outcomes, await notes.titlesOf(id)]).toEqual([['written'], ['not awaited']])
    const failing = db.write(office(id), async (tx) => void failingStatement(tx).catch(() => undefined))
    await expect(failing).rejects.toThrow(failedBefore)
  })

  it.each(['COMMIT', ' rollback', 'SAVEPOINT own', 'START TRANSACTION', 'END', 'ABORT', 'RELEASE own', "PREPARE TRANSACTION 'own'"])(
    'is begun, nested and ended by write alone: %s is refused',
    async (statement) => {
      const id = randomId()
      await db
        .write(office(id), async (tx) => {
          await add(tx, id, 'kept')
          await expect(tx.$executeRawUnsafe(statement)).rejects.toThrow('begun and ended by `write` alone')
          await expect(tx.$executeRawUnsafe(`SELECT 1; ${statement}`)).rejects.toThrow()
          throw new Error('undone')
        })
        .catch((error: Error) => expect(error.message).toBe('undone'))
      expect(await notes.titlesOf(id)).toEqual([])
    },
  )
})

describe('a value that cannot be encoded', () => {
  it('fails its statement only, and neither the connection nor the transaction', async () => {
    const id = randomId()
    const circular: { self?: unknown } = {}
    circular.self = circular
    const send = (tx: Tx, value: unknown) => tx.$queryRaw`SELECT ${value}::jsonb AS value`
    await one.write(office(id), async (tx) => {
      await expect(send(tx, circular)).rejects.toThrow(/circular/)
      expect(await send(tx, { a: 1 })).toEqual([{ value: { a: 1 } }])
      await expect(send(tx, circular)).rejects.toThrow(/circular/)
      await add(tx, id, 'kept')
    })
    const query = (value: unknown) => one.query(office(id), CompiledQuery.raw('SELECT $1::jsonb AS of', [value]))
    await expect(query(circular)).rejects.toThrow(/circular/)
    expect(await query({ a: 2 })).toEqual([{ of: { a: 2 } }])
    expect(await notes.titlesOf(id)).toEqual(['kept'])
  })
})
