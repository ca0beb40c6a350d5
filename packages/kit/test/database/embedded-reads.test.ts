import type { Employee, Id } from '@caseway/kit/caller'
import { resourceReads } from '@caseway/kit/database'
import { idText, line } from '@caseway/kit/fields'
import { defineResource, type ListQuery, many, one } from '@caseway/kit/resource'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { type Db, employeeOf, type Notes, noteResource, notesDatabase } from '../support/notes.js'

const quoted = "'; DROP TABLE notes; --"

/** Notes that are not done, each with its client embedded. */
const openNoteResource = defineResource({
  name: 'Note',
  path: 'note',
  table: 'notes',
  where: { done: false, title: ['a', 'b', quoted] },
  fields: noteResource.fields,
  embedded: { Client: one('client_id', { name: line({ max: 100 }) }) },
  sort: ['id', 'title'],
})

/** Notes, each with its lines embedded. */
const noteWithLinesResource = defineResource({
  ...{ name: 'Note', path: 'note', table: 'notes' },
  fields: noteResource.fields,
  sort: ['id'],
  embedded: { Line: many('note_id', { note_id: idText, text: line({ max: 100 }) }) },
})

/** The ids with which the read of clients was called, and the clients that it finds. */
let readIds: (readonly Id[])[] = []
let known: readonly { id: Id; name: string }[] = []
beforeEach(() => {
  readIds = []
  known = []
})

let notes: Notes
let db: Db
let reads: ReturnType<typeof resourceReads<typeof openNoteResource>>
beforeAll(async () => {
  notes = await notesDatabase()
  db = notes.db
  const client = async (_: Employee, ids: readonly Id[]) => {
    readIds.push(ids)
    return known.filter(({ id }) => ids.includes(id))
  }
  reads = resourceReads(db, openNoteResource, { client })
})
afterAll(() => notes.stop())

const query = (changes: Partial<ListQuery<typeof openNoteResource>> = {}): ListQuery<typeof openNoteResource> => ({
  limit: 500,
  sort: { field: 'id', descending: false },
  filters: {},
  count: true,
  ...changes,
})

interface Seed {
  title: string
  done?: boolean
  clientId?: bigint
}
async function officeWith(...seeds: Seed[]) {
  const caller = employeeOf(randomId())
  const { customerId } = caller
  const data = seeds.map((seed) => ({ customerId, ...seed }))
  const rows = await db.write(caller, (tx) => tx.note.createManyAndReturn({ data }))
  return { caller, ids: rows.map(({ id }) => id) }
}

describe('the rows of a resource', () => {
  const [ada, ewa] = [
    { id: 7n, name: 'Ada' },
    { id: 8n, name: 'Ewa' },
  ]

  it('are those that match its `where`, in every read', async () => {
    known = [ada]
    const notThose = [
      { title: 'b', done: true, clientId: 7n },
      { title: 'c', clientId: 7n },
    ]
    const { caller, ids } = await officeWith({ title: 'a', clientId: 7n }, ...notThose)
    const [open = 0n, ...others] = ids
    expect(await reads.list(caller, query())).toMatchObject({ items: [{ id: open }], total: 1 })
    expect(await reads.some(caller, ids)).toMatchObject([{ id: open }])
    for (const id of others) {
      expect(await reads.find(caller, id)).toBeNull()
      await expect(reads.get(caller, id)).rejects.toMatchObject({ kind: 'not-found' })
      await expect(db.write(caller, (tx) => reads.lock(tx, caller, id))).rejects.toMatchObject({ kind: 'not-found' })
    }
    expect(await db.write(caller, (tx) => reads.lock(tx, caller, open))).toMatchObject({ id: open, version: 1 })
  })

  it('can be read by their ids, without those of other offices', async () => {
    known = [ada]
    const [here, elsewhere] = [
      await officeWith({ title: 'a', clientId: 7n }, { title: 'b', clientId: 7n }),
      await officeWith({ title: 'a' }),
    ]
    const found = await reads.some(here.caller, [...here.ids, ...elsewhere.ids, randomId()])
    expect(found.map(({ id }) => id).sort()).toEqual(here.ids)
    expect(await reads.some(here.caller, [])).toEqual([])
  })

  it('have an object embedded by its id, with one read for all rows', async () => {
    known = [ada, ewa]
    const { caller, ids } = await officeWith({ title: 'a', clientId: 7n }, { title: 'b', clientId: 8n }, { title: quoted, clientId: 7n })
    const { items } = await reads.list(caller, query())
    expect(items.map(({ client }) => client.name)).toEqual(['Ada', 'Ewa', 'Ada'])
    expect(readIds).toEqual([[7n, 8n]])
    expect(await reads.get(caller, ids[1] ?? 0n)).toMatchObject({ title: 'b', client: { name: 'Ewa' } })
  })

  it('whose embedded object is not found are left out, and the next page continues after them', async () => {
    known = [ewa]
    const { caller, ids } = await officeWith({ title: 'a', clientId: 7n }, { title: 'b', clientId: 8n })
    const first = await reads.list(caller, query({ limit: 1 }))
    expect(first).toMatchObject({ items: [], next: { id: ids[0] } })
    expect(await reads.list(caller, query({ limit: 1, cursor: first.next }))).toMatchObject({ items: [{ id: ids[1] }], next: undefined })
    expect(await reads.find(caller, ids[0] ?? 0n)).toBeNull()
    await expect(reads.get(caller, ids[0] ?? 0n)).rejects.toMatchObject({ kind: 'not-found' })
  })

  it('have all objects embedded that refer to them, with one read for all rows', async () => {
    const { caller, ids } = await officeWith({ title: 'a' }, { title: 'b' }, { title: 'c' })
    const [first = 0n, , third = 0n] = ids
    const lines = [
      { noteId: third, text: 'x' },
      { noteId: first, text: 'y' },
      { noteId: third, text: 'z' },
    ]
    const readIds: (readonly Id[])[] = []
    const withLines = resourceReads(db, noteWithLinesResource, {
      line: async (_, ids) => {
        readIds.push(ids)
        return lines.filter(({ noteId }) => ids.includes(noteId))
      },
    })
    const { items } = await withLines.list(caller, { limit: 500, sort: { field: 'id', descending: false }, filters: {}, count: false })
    expect(items.map(({ line }) => line.map(({ text }) => text))).toEqual([['y'], [], ['x', 'z']])
    expect(readIds).toEqual([ids])
    expect((await withLines.get(caller, third)).line).toEqual([lines[0], lines[2]])
  })

  it('cause no read of embedded objects when there are none', async () => {
    const { caller } = await officeWith()
    expect(await reads.list(caller, query())).toMatchObject({ items: [], total: 0 })
    expect(readIds).toEqual([])
  })
})
