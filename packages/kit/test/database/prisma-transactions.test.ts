import { office } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { add, commented, upsert } from '../support/note-writes.js'
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
  it.each(operations)('works repeatedly on one connection: %s', async (_, send) => {
    const id = randomId()
    await one.write(office(id), async (tx) => {
      await send(tx, id, 'first')
      await send(tx, id, 'second')
      await one.write(office(id), (tx) => send(tx, id, 'nested'))
    })
    await one.write(office(id), (tx) => send(tx, id, 'next'))
    expect(await notes.titlesOf(id)).toEqual(['first', 'second', 'nested', 'next'])
  })

  it('takes turns with others that begin at the same time', async () => {
    const id = randomId()
    await db.write(office(id), (tx) => Promise.all(['a', 'b', 'c'].map((title) => commented(tx, id, title))))
    expect(await notes.titlesOf(id)).toEqual(['a', 'b', 'c'])
  })

  it('is rolled back alone when it fails', async () => {
    const [id, other] = [randomId(), randomId()]
    await db.write(office(id), async (tx) => {
      await expect(commented(tx, other, 'refused')).rejects.toThrow(/row-level security/)
      await commented(tx, id, 'kept')
    })
    expect([await notes.titlesOf(id), await notes.titlesOf(other)]).toEqual([['kept'], []])
  })

  it('that was not awaited does not write in the next transaction of its connection', async () => {
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
    expect([await notes.titlesOf(a), await notes.titlesOf(b)]).toEqual([[], ['first', 'second']])
  })
})
