import { office } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type Db, type Notes, notesDatabase } from '../support/notes.js'
import { type Node, runTree, sequential, trees } from './support/transaction-trees.js'

let notes: Notes
let db: Db
beforeAll(async () => {
  notes = await notesDatabase()
  db = notes.open({ max: 2 })
})
afterAll(() => notes.stop())

/** Each run has two trees. */
const numRuns = Number(process.env.TRANSACTION_TREES ?? 2000) / 2

const titlesOf = async (customerId: bigint) => {
  const written = await db
    .read(office(customerId))
    .note.findMany({ where: { customerId }, orderBy: { id: 'asc' }, select: { title: true } })
  return written.map(({ title }) => title)
}

/** Checks the invariant of any work: exactly the rows are there whose inserts succeeded in frames that were kept. */
async function holds(tree: readonly Node[]): Promise<void> {
  const id = randomId()
  const run = await runTree(db, id, tree)
  expect((await titlesOf(id)).sort()).toEqual(run.expected.sort())
  expect(run.lateAnswers).toEqual([])
  const model = sequential(tree)
  if (model) expect({ kept: run.kept, titles: await titlesOf(id) }).toEqual(model)
}

/** A request of another office on the same connections. */
async function neighbour(): Promise<void> {
  const id = randomId()
  await db.write(office(id), async (tx) => {
    await tx.note.create({ data: { customerId: id, title: 'a' } })
    await db.write(office(id), (tx) => tx.note.updateMany({ data: { rank: 1 } }))
    const nested = db.write(office(id), async (tx) => {
      await tx.note.updateMany({ data: { rank: 2 } })
      throw new Error('undone')
    })
    await expect(nested).rejects.toThrow('undone')
  })
  expect(await db.read(office(id)).note.findMany({ select: { title: true, rank: true } })).toEqual([{ title: 'a', rank: 1 }])
}

it('after any work, exactly the inserts that succeeded in kept frames are committed, and other offices are not affected', async () => {
  const property = fc.asyncProperty(trees, trees, async (one, other) => {
    await Promise.all([holds(one), holds(other), neighbour()])
  })
  await fc.assert(property, { numRuns })
}, 600_000)
