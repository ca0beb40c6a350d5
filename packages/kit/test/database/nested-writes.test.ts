import { type Database, office } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CompiledQuery } from 'kysely'
import { add, addRaw, afterTheEnd, create, failedBefore, failingStatement } from '../support/note-writes.js'
import { type Db, type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
let db: Db
beforeAll(async () => {
  notes = await notesDatabase()
  db = notes.db
})
afterAll(() => notes.stop())

const besideNested = /was open in its transaction/

describe('a statement of the outer write while a nested write is open', () => {
  it('throws before it is sent, and both writes can continue', async () => {
    const id = randomId()
    await db.write(office(id), async (tx) => {
      await add(tx, id, 'before')
      const begun = Promise.withResolvers<void>()
      const gate = Promise.withResolvers<void>()
      const nested = db.write(office(id), async (tx) => {
        begun.resolve()
        await gate.promise
        await add(tx, id, 'nested')
      })
      await begun.promise
      await expect(addRaw(tx, id, 'beside')).rejects.toThrow(besideNested)
      await expect(db.read(office(id)).note.count()).rejects.toThrow(besideNested)
      gate.resolve()
      await nested
      await add(tx, id, 'after')
    })
    expect(await notes.titlesOf(id)).toEqual(['before', 'nested', 'after'])
  })

  it('throws also when the nested write fails later, so that it is not rolled back silently', async () => {
    const id = randomId()
    const outcomes: string[] = []
    await db.write(office(id), async (tx) => {
      const begun = Promise.withResolvers<void>()
      const gate = Promise.withResolvers<void>()
      const nested = db.write(office(id), async () => {
        begun.resolve()
        await gate.promise
        throw new Error('refused')
      })
      await begun.promise
      await addRaw(tx, id, 'beside').then(
        () => outcomes.push('written'),
        () => outcomes.push('refused'),
      )
      gate.resolve()
      await expect(nested).rejects.toThrow('refused')
    })
    expect([outcomes, await notes.titlesOf(id)]).toEqual([['refused'], []])
  })
})

describe('a nested write', () => {
  it('that throws is rolled back, and the rest of the transaction is kept', async () => {
    const id = randomId()
    await db.write(office(id), async (tx) => {
      await add(tx, id, 'before')
      const nested = db.write(office(id), async (tx) => {
        await add(tx, id, 'undone')
        throw new Error('refused')
      })
      await expect(nested).rejects.toThrow('refused')
      await add(tx, id, 'after')
    })
    expect(await notes.titlesOf(id)).toEqual(['before', 'after'])
  })

  it('in which a statement failed is rolled back although the work caught the error', async () => {
    const id = randomId()
    await db.write(office(id), async (tx) => {
      const nested = db.write(office(id), async (tx) => {
        await add(tx, id, 'undone')
        await failingStatement(tx).catch(() => undefined)
      })
      await expect(nested).rejects.toThrow(failedBefore)
      await add(tx, id, 'kept')
    })
    expect(await notes.titlesOf(id)).toEqual(['kept'])
  })

  it('waits for the statements that its work did not await, and fails when one of them does', async () => {
    const id = randomId()
    await db.write(office(id), async (tx) => {
      const nested = db.write(office(id), async () => {
        db.query(office(id), CompiledQuery.raw('SELECT 1 / 0')).catch(() => undefined)
      })
      await expect(nested).rejects.toThrow(failedBefore)
      await add(tx, id, 'kept')
    })
    expect(await notes.titlesOf(id)).toEqual(['kept'])
  })

  it('that waits for its turn is rejected when the transaction ends', async () => {
    const id = randomId()
    const begun = Promise.withResolvers<void>()
    const never = Promise.withResolvers<void>()
    let nested: Promise<unknown>[] = []
    const refused = db.write(office(id), async () => {
      nested = [
        db.write(office(id), () => {
          begun.resolve()
          return never.promise
        }),
        create(db, id, 'waits'),
      ]
      for (const write of nested) write.catch(() => undefined)
      await begun.promise
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    await expect(nested[1]).rejects.toThrow(afterTheEnd)
    never.resolve()
    await expect(nested[0]).rejects.toThrow(afterTheEnd)
  })

  it('that is not awaited makes the outer write fail', async () => {
    const id = randomId()
    let nested: Promise<unknown> = Promise.resolve()
    const work = db.write(office(id), async (tx) => {
      await add(tx, id, 'undone')
      nested = create(db, id, 'not awaited')
      nested.catch(() => undefined)
    })
    await expect(work).rejects.toThrow(/ended before a write/)
    await expect(nested).rejects.toThrow(afterTheEnd)
    expect(await notes.titlesOf(id)).toEqual([])
  })

  it('has the isolation level of its transaction, and throws when it demands another one', async () => {
    const id = randomId()
    const nested: Database<unknown>['write'] = (scope, work, options) => db.write(scope, () => db.write(scope, work, options))
    await expect(nested(office(id), async () => 'done', { isolation: 'ReadCommitted' })).resolves.toBe('done')
    await expect(nested(office(id), async () => 'done', { isolation: 'Serializable' })).rejects.toThrow(
      'A write that asks for Serializable was nested in a transaction that runs at ReadCommitted.',
    )
    const level = CompiledQuery.raw("SELECT current_setting('transaction_isolation') AS level")
    const both = db.write(office(id), () => db.write(office(id), () => db.query(office(id), level), { isolation: 'RepeatableRead' }), {
      isolation: 'RepeatableRead',
    })
    expect(await both).toEqual([{ level: 'repeatable read' }])
  })

  it('that is detached is a transaction of its own', async () => {
    const id = randomId()
    const undone = db.write(office(id), async (tx) => {
      await add(tx, id, 'undone')
      await db.detached.write(office(id), async (tx) => {
        expect(await tx.note.count()).toBe(0)
        await db.write(office(id), (tx) => add(tx, id, 'kept'))
      })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await notes.titlesOf(id)).toEqual(['kept'])
  })
})
