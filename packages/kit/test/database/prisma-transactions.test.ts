import { office } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { add, commented, upsert } from '../support/note-writes.js'
import { type Db, type Notes, notesDatabase, type Tx } from '../support/notes.js'

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
    expect(await notes.titlesOf(id)).toEqual(['first', 'second', 'nested', 'next'])
  })

  it('takes turns with others that are sent at once', async () => {
    const id = randomId()
    await db.write(office(id), (tx) => Promise.all(['a', 'b', 'c'].map((title) => commented(tx, id, title))))
    expect(await notes.titlesOf(id)).toEqual(['a', 'b', 'c'])
  })

  it('is undone alone when it fails', async () => {
    const [id, other] = [randomId(), randomId()]
    await db.write(office(id), async (tx) => {
      await expect(commented(tx, other, 'refused')).rejects.toThrow(/row-level security/)
      await commented(tx, id, 'kept')
    })
    expect([await notes.titlesOf(id), await notes.titlesOf(other)]).toEqual([['kept'], []])
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
    expect([await notes.titlesOf(a), await notes.titlesOf(b)]).toEqual([[], ['first', 'second']])
  })
})
