import { reserveIds } from '@caseway/kit/office-data'
import { randomId } from '@caseway/testing'
import { holdTransaction, untilWaiting } from '@caseway/testing/held-transaction'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())

describe('ids that are reserved', () => {
  it('are not assigned to other rows, however many are reserved', async () => {
    const blocks = await Promise.all([1n, 5n, 1000n].map((last) => reserveIds(notes.db, 'notes', { first: 1n, last })))
    const [row] = await notes.rows<{ id: string }>("INSERT INTO notes (customer_id, title) VALUES ($1, 'After') RETURNING id", [randomId()])
    const ranges = blocks.map((block) => [BigInt(block?.nobody ?? 0), BigInt(block?.last ?? 0) + BigInt(block?.shift ?? 0)] as const)
    for (const [first, last] of ranges) {
      expect(BigInt(row?.id ?? 0)).toBeGreaterThan(last)
      expect(ranges.filter(([from, to]) => from <= last && to >= first).length).toBe(1)
    }
  })

  it('are reserved under a lock, by one import at a time', async () => {
    const held = await holdTransaction(notes, "SELECT pg_advisory_xact_lock(hashtextextended('kit.reserve_ids', 0))")
    const reserving = reserveIds(notes.db, 'notes', { first: 1n, last: 9n })
    await untilWaiting(notes, 1)
    await held.commit()
    expect(await reserving).toMatchObject({ first: '1', last: '9' })
  })

  it('are undefined for a table without an identity column', async () => {
    expect(await reserveIds(notes.db, 'person_copies', { first: 1n, last: 1n })).toBeUndefined()
  })

  it.each([
    [0n, 1n],
    [2n, 1n],
    [1n, 10n ** 12n + 1n],
  ])('cannot range from %s to %s', async (first, last) => {
    await expect(reserveIds(notes.db, 'notes', { first, last })).rejects.toThrow('The ids of notes are outside of the valid range.')
  })
})
