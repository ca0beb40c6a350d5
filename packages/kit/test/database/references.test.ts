import { references, resourceReads } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Db, employeeOf, type Notes, noteResource, notesDatabase } from '../support/notes.js'

let notes: Notes
let db: Db
let named: ReturnType<typeof namedNotes>
const namedNotes = (db: Db) => {
  const reads = resourceReads(db, noteResource)
  return references({ note_id: reads, other_id: reads })
}
/** Generous timeouts: connections are opened while Prisma's engine loads, and statements wait for locks while the test checks that they do. */
const patient = { connectTimeoutMs: 20_000, lockTimeoutMs: 20_000, statementTimeoutMs: 20_000 }

beforeAll(async () => {
  notes = await notesDatabase(patient)
  db = notes.db
  named = namedNotes(db)
})
afterAll(() => notes.stop())

async function officeWithNote() {
  const caller = employeeOf(randomId())
  const { id } = await db.write(caller, (tx) => tx.note.create({ data: { customerId: caller.customerId, title: 'a' } }))
  return { caller, id }
}
const unknown = (...fields: string[]) => ({
  kind: 'invalid',
  fields: Object.fromEntries(fields.map((field) => [field, 'does not exist'])),
})

describe('fields that name records', () => {
  it('are missing when the office does not have the records, whether they are unknown or of another office', async () => {
    const [{ caller, id }, elsewhere] = [await officeWithNote(), await officeWithNote()]
    expect(await named.missing(caller, { noteId: id, otherId: id })).toEqual([])
    expect(await named.missing(caller, { noteId: elsewhere.id, otherId: id })).toEqual(['note_id'])
    expect(await named.missing(caller, { noteId: randomId(), otherId: elsewhere.id })).toEqual(['note_id', 'other_id'])
    expect(await named.fieldErrors(caller, { noteId: elsewhere.id, otherId: id })).toEqual({ note_id: 'does not exist' })
    expect(await named.fieldErrors(caller, { noteId: id })).toEqual({})
  })

  it('name no record where they are null or were not sent', async () => {
    const { caller, id } = await officeWithNote()
    expect(await named.missing(caller, { noteId: null })).toEqual([])
    expect([named.areIn({}), named.areIn({ noteId: null }), named.areIn({ otherId: id })]).toEqual([false, false, true])
  })

  it('are reported together when `keep` does not find their records', async () => {
    const { caller } = await officeWithNote()
    const keep = db.write(caller, (tx) => named.keep(tx, caller, { noteId: randomId(), otherId: randomId() }))
    await expect(keep).rejects.toMatchObject(unknown('note_id', 'other_id'))
  })
})

describe('a record that a transaction names', () => {
  it('is returned in its current state, by the field that names it', async () => {
    const { caller, id } = await officeWithNote()
    const kept = db.write(caller, async (tx) => {
      await tx.note.update({ where: { id, customerId: caller.customerId }, data: { title: 'changed' } })
      return named.keep(tx, caller, { noteId: id, otherId: null })
    })
    expect(await kept).toMatchObject({ noteId: { id, title: 'changed' } })
    expect(Object.keys(await kept)).toEqual(['noteId'])
  })

  it('cannot be deleted before that transaction has ended', async () => {
    const { caller, id } = await officeWithNote()
    let removed = false
    let removing: Promise<unknown> | undefined
    await db.write(caller, async (tx) => {
      await named.keep(tx, caller, { noteId: id })
      removing = db.detached
        .write(caller, (tx) => tx.note.delete({ where: { id, customerId: caller.customerId } }))
        .then(() => (removed = true))
      await untilWaiting(notes, 1)
      expect(removed).toBe(false)
    })
    await removing
    expect(removed).toBe(true)
  })

  it('is missing when another transaction has deleted it first', async () => {
    const { caller, id } = await officeWithNote()
    let keeping: Promise<unknown> | undefined
    await db.write(caller, async (tx) => {
      await tx.note.delete({ where: { id, customerId: caller.customerId } })
      keeping = db.detached.write(caller, (tx) => named.keep(tx, caller, { noteId: id })).catch((error: unknown) => error)
      await untilWaiting(notes, 1)
    })
    expect(await keeping).toMatchObject(unknown('note_id'))
  })

  it('may be changed meanwhile', async () => {
    const { caller, id } = await officeWithNote()
    await db.write(caller, async (tx) => {
      await named.keep(tx, caller, { noteId: id })
      const where = { id, customerId: caller.customerId }
      await db.detached.write(caller, (tx) => tx.note.update({ where, data: { rank: 7 } }))
    })
    expect(await notes.rows('SELECT rank FROM notes WHERE id = $1', [id])).toEqual([{ rank: 7 }])
  })
})
