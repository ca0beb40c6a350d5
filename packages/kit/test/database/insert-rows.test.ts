import { insertRows, office } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
  await notes.rows('ALTER TABLE notes ADD COLUMN bytes bytea')
})
afterAll(() => notes.stop())

it('rows are inserted with values of every type, and with the defaults of other columns', async () => {
  const customerId = randomId()
  const created = new Date('2026-01-02T03:04:05.678Z')
  const rows = [
    { id: 2n ** 62n, customer_id: customerId, title: 'A "title"\n\\ with 😀', rank: 5, bytes: Buffer.from([0, 255, 10]), created },
    { id: 2n ** 62n + 1n, customer_id: customerId, title: 'B', rank: null, bytes: null, created },
  ]
  await notes.db.write(office(customerId), (tx) => insertRows(tx, 'notes', rows))
  expect(await notes.rows('SELECT * FROM notes WHERE customer_id = $1 ORDER BY id', [customerId])).toMatchObject([
    { ...rows[0], id: String(2n ** 62n), customer_id: String(customerId), done: false, version: 1 },
    { ...rows[1], id: String(2n ** 62n + 1n), customer_id: String(customerId), rank: null, bytes: null },
  ])
})

it('no statement is sent without rows', async () => {
  await notes.db.write(office(randomId()), (tx) => insertRows(tx, 'nothing', []))
})
