import { type Database, office } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { CompiledQuery } from 'kysely'
import { type Db, type Notes, notesDatabase } from '../support/notes.js'

type Tx = Parameters<Parameters<Db['write']>[1]>[0]

let notes: Notes
let db: Db
/** A pool of one connection: what is left on it meets whoever comes next. */
let one: Db
beforeAll(async () => {
  notes = await notesDatabase()
  db = notes.db
  one = notes.open({ max: 1 })
})
afterAll(() => notes.stop())

const titlesOf = async (customerId: bigint) => {
  const rows = await notes.rows<{ title: string }>('SELECT title FROM notes WHERE customer_id = $1 ORDER BY id', [customerId])
  return rows.map(({ title }) => title)
}
const add = (tx: Tx, customerId: bigint, title: string) => tx.note.create({ data: { customerId, title } })
const create = (db: Db, customerId: bigint, title: string) => db.write(office(customerId), (tx) => add(tx, customerId, title))
const addRaw = (tx: Tx, customerId: bigint, title: string) =>
  tx.$executeRaw`INSERT INTO notes (customer_id, title) VALUES (${customerId}, ${title})`
const failingStatement = (tx: Tx) => tx.$queryRaw`SELECT 1 / 0`

const afterTheEnd = /came after the end of the transaction/
const besideNested = /was open in its transaction/
const failedBefore = /had failed before its end/

describe('what is left over from a transaction', () => {
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
      expect(await titlesOf(b)).toEqual(['first', 'second'])
      expect(await titlesOf(a)).toEqual([])
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
      expect(await titlesOf(id)).toEqual([])
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
    expect(await titlesOf(id)).toEqual(['kept'])
  })
})

describe('a statement beside an open nested write', () => {
  it('throws before it is sent, and neither is harmed', async () => {
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
    expect(await titlesOf(id)).toEqual(['before', 'nested', 'after'])
  })

  it('of a nested write that fails is not lost without a word', async () => {
    const id = randomId()
    const told: string[] = []
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
        () => told.push('written'),
        () => told.push('refused'),
      )
      gate.resolve()
      await expect(nested).rejects.toThrow('refused')
    })
    expect([told, await titlesOf(id)]).toEqual([['refused'], []])
  })
})

describe('a nested write', () => {
  it('that throws is undone, and the rest is kept', async () => {
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
    expect(await titlesOf(id)).toEqual(['before', 'after'])
  })

  it('in which a statement failed is undone although the work caught that', async () => {
    const id = randomId()
    await db.write(office(id), async (tx) => {
      const nested = db.write(office(id), async (tx) => {
        await add(tx, id, 'undone')
        await failingStatement(tx).catch(() => undefined)
      })
      await expect(nested).rejects.toThrow(failedBefore)
      await add(tx, id, 'kept')
    })
    expect(await titlesOf(id)).toEqual(['kept'])
  })

  it('waits for the statements that its work did not await: a failure of one of them is its own', async () => {
    const id = randomId()
    await db.write(office(id), async (tx) => {
      const nested = db.write(office(id), async () => {
        db.query(office(id), CompiledQuery.raw('SELECT 1 / 0')).catch(() => undefined)
      })
      await expect(nested).rejects.toThrow(failedBefore)
      await add(tx, id, 'kept')
    })
    expect(await titlesOf(id)).toEqual(['kept'])
  })

  it('that waits for its turn is refused when the transaction ends', async () => {
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

  it('that is not awaited makes the work around it a failure', async () => {
    const id = randomId()
    let nested: Promise<unknown> = Promise.resolve()
    const work = db.write(office(id), async (tx) => {
      await add(tx, id, 'undone')
      nested = create(db, id, 'not awaited')
      nested.catch(() => undefined)
    })
    await expect(work).rejects.toThrow(/ended before a write/)
    await expect(nested).rejects.toThrow(afterTheEnd)
    expect(await titlesOf(id)).toEqual([])
  })

  it('has the isolation of its transaction, or throws', async () => {
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
    expect(await titlesOf(id)).toEqual(['kept'])
  })
})

describe('a transaction', () => {
  it('that fails is undone before its connection is used again', async () => {
    const [a, b] = [randomId(), randomId()]
    const refused = one.write(office(a), async (tx) => {
      await add(tx, a, 'undone')
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    await create(one, b, 'kept')
    expect([await titlesOf(a), await titlesOf(b)]).toEqual([[], ['kept']])
  })

  it('in which a statement failed is not committed although the work caught that', async () => {
    const id = randomId()
    const work = db.write(office(id), async (tx) => {
      await add(tx, id, 'undone')
      await failingStatement(tx).catch(() => undefined)
    })
    await expect(work).rejects.toThrow(failedBefore)
    expect(await titlesOf(id)).toEqual([])
  })

  it('waits for the statements that its work did not await', async () => {
    const id = randomId()
    const told: string[] = []
    await db.write(office(id), async (tx) => {
      void addRaw(tx, id, 'not awaited').then(() => told.push('written'))
    })
    expect([told, await titlesOf(id)]).toEqual([['written'], ['not awaited']])
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
      expect(await titlesOf(id)).toEqual([])
    },
  )
})

const upsert = (tx: Tx, customerId: bigint, title: string) =>
  tx.note.upsert({ where: { id: randomId() }, create: { customerId, title }, update: { rank: 1 } })
const commented = (tx: Tx, customerId: bigint, title: string) =>
  tx.note.create({ data: { customerId, title, comments: { create: { customerId, body: title } } }, include: { comments: true } })

describe('a transaction that Prisma begins by itself', () => {
  const operations: [string, (tx: Tx, id: bigint, title: string) => Promise<unknown>][] = [
    ['upsert', upsert],
    ['nested create', commented],
    [
      'connect',
      async (tx, customerId, title) => {
        const { id } = await tx.noteComment.create({ data: { customerId, body: title } })
        await tx.note.create({ data: { customerId, title, comments: { connect: { id } } } })
      },
    ],
    [
      'update with include',
      async (tx, customerId, title) => {
        const { id } = await add(tx, customerId, title)
        const comments = { create: { customerId, body: title } }
        await tx.note.update({ where: { id }, data: { rank: 2, comments }, include: { comments: true } })
      },
    ],
  ]
  it.each(operations)('works again and again on one connection: %s', async (_, send) => {
    const id = randomId()
    await one.write(office(id), async (tx) => {
      await send(tx, id, 'first')
      await send(tx, id, 'second')
      await one.write(office(id), (tx) => send(tx, id, 'nested'))
    })
    await one.write(office(id), (tx) => send(tx, id, 'next'))
    expect(await titlesOf(id)).toEqual(['first', 'second', 'nested', 'next'])
  })

  it('takes turns with others that are sent at once', async () => {
    const id = randomId()
    await db.write(office(id), (tx) => Promise.all(['a', 'b', 'c'].map((title) => commented(tx, id, title))))
    expect(await titlesOf(id)).toEqual(['a', 'b', 'c'])
  })

  it('is undone alone when it fails', async () => {
    const [id, other] = [randomId(), randomId()]
    await db.write(office(id), async (tx) => {
      await expect(commented(tx, other, 'refused')).rejects.toThrow(/row-level security/)
      await commented(tx, id, 'kept')
    })
    expect([await titlesOf(id), await titlesOf(other)]).toEqual([['kept'], []])
  })

  it('that was left alone does not reach the next transaction of its connection', async () => {
    const [a, b] = [randomId(), randomId()]
    let late: Promise<unknown> = Promise.resolve()
    const refused = one.write(office(a), async (tx) => {
      await tx.note.count()
      late = commented(tx, a, 'late').then(
        () => 'written',
        () => 'refused',
      )
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    await one.write(office(b), async (tx) => {
      await commented(tx, b, 'first')
      expect(await late).toBe('refused')
      await commented(tx, b, 'second')
    })
    expect([await titlesOf(a), await titlesOf(b)]).toEqual([[], ['first', 'second']])
  })
})

describe('a value that cannot be sent', () => {
  it('is an error of that statement alone, on its connection and in its transaction', async () => {
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
    expect(await titlesOf(id)).toEqual(['kept'])
  })
})
