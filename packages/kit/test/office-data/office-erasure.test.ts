import { office, platform } from '@caseway/kit/database'
import { defineJob, enqueue, startJobs } from '@caseway/kit/jobs'
import { countOfficeRows, enqueueErasure, officeErasure } from '@caseway/kit/office-data'
import { officeRows, ofOffice, outlivesOffices, type Tables } from '@caseway/kit/tables'
import { eventually, randomId } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { log, type Notes, notesDatabase } from '../support/notes.js'

const tables: Tables = {
  notes: [officeRows()],
  note_comments: [ofOffice('"note_id" IN (SELECT "id" FROM "notes" WHERE "customer_id" = $1)')],
  person_copies: [outlivesOffices('They are copied from elsewhere.')],
}
const [ours, theirs] = [randomId(), randomId()]

let notes: Notes
beforeEach(async () => {
  notes = await notesDatabase()
})
afterEach(() => notes.stop())

const addNotes = async (customerId: bigint, count: number) => {
  await notes.rows(`INSERT INTO notes (customer_id, title) SELECT $1, nth::text FROM generate_series(1, $2::int) nth`, [customerId, count])
  await notes.rows(`INSERT INTO note_comments (customer_id, note_id, body) SELECT 1, id, 'A' FROM notes WHERE customer_id = $1`, [
    customerId,
  ])
  await notes.rows(`INSERT INTO person_copies (id, customer_id, name, revision) VALUES ($1, $1, 'A', 1)`, [customerId])
}
const rowsOf = (customerId: bigint) => countOfficeRows(notes.db, tables, customerId)
const erasureState = async () =>
  (await notes.rows("SELECT state FROM kit.job WHERE name = 'office-erasure' ORDER BY run_at")).map(({ state }) => state)

/** Enqueues the erasure of an office, and runs it as a copy of the service does. */
async function erase(customerId = ours, meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
  const { db, metrics } = notes
  await db.write(platform, (tx) => enqueueErasure(tx, customerId))
  const jobs = startJobs({ db, handlers: [officeErasure({ db, tables, log })], log, metrics, pollMs: 20, graceMs: 1 })
  try {
    await meanwhile()
    await eventually(async () => expect(await erasureState()).toEqual(['done', 'waiting']))
  } finally {
    await jobs.stop()
  }
}

describe('the erasure of an office', () => {
  it('deletes all its rows, also in tables without its id, and no others', async () => {
    await addNotes(ours, 1_201)
    await addNotes(theirs, 2)
    expect(await rowsOf(ours)).toEqual({ notes: 1_201, note_comments: 1_201 })
    await erase()
    expect([await rowsOf(ours), await rowsOf(theirs)]).toEqual([{}, { notes: 2, note_comments: 2 }])
    expect(await notes.rows('SELECT FROM note_comments')).toHaveLength(2)
    expect(await notes.rows('SELECT FROM person_copies')).toHaveLength(2)
  })

  it('waits for a concurrent change of a row, and then deletes the row', async () => {
    await addNotes(ours, 1)
    const held = await holdTransaction(notes, 'UPDATE notes SET title = $2 WHERE customer_id = $1', [ours, 'B'])
    await erase(ours, async () => {
      await untilWaiting(notes, 1)
      await held.commit()
    })
    expect(await rowsOf(ours)).toEqual({})
  })

  it('deletes its jobs and the dead letters of its topics, but not those of another office', async () => {
    const job = defineJob({ name: 'something' })
    for (const id of [ours, theirs]) await notes.db.write(office(id), (tx) => enqueue(tx, job, null))
    const letters = [ours, theirs].flatMap((id) => ['auth.user.v1', 'auth.client.v1'].map((topic) => [topic, String(id)]))
    await notes.rows(
      `INSERT INTO kit.dead_letter (consumer, event_id, topic, key, payload, headers, time, error)
       SELECT 'c', gen_random_uuid(), letter->>0, letter->>1, '', '{}', now(), 'e' FROM jsonb_array_elements($1::jsonb) letter`,
      [JSON.stringify(letters)],
    )
    await erase()
    expect(await notes.rows("SELECT customer_id FROM kit.job WHERE name = 'something'")).toEqual([{ customer_id: String(theirs) }])
    // The dead letter of `auth.client.v1` stays: the key of that topic is the id of a client, which only happens to be the same.
    expect(await notes.rows('SELECT topic, key FROM kit.dead_letter ORDER BY id')).toEqual([
      { topic: 'auth.client.v1', key: String(ours) },
      { topic: 'auth.user.v1', key: String(theirs) },
      { topic: 'auth.client.v1', key: String(theirs) },
    ])
  })

  it('is repeated after the retention of the topics', async () => {
    await erase()
    const [later] = await notes.rows("SELECT run_at - created > interval '7 days' AS late FROM kit.job WHERE state = 'waiting'")
    expect(later).toEqual({ late: true })
  })

  it('throws when no rule of a table determines which rows belong to an office', () => {
    const { db } = notes
    expect(() => officeErasure({ db, tables: { ...tables, notes: [] }, log })).toThrow('The table notes needs one of officeRows')
  })
})
