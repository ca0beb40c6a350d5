import { keepNewest, platform } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { type Notes, notesDatabase } from '../support/notes.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())

const person = (id: bigint, name: string, revision: bigint) => ({ id, customer_id: 7n, name, revision })
const keep = (...rows: ReturnType<typeof person>[]) => notes.db.write(platform, (tx) => keepNewest(tx, 'person_copies', rows))
const names = (ids: bigint[]) => notes.rows('SELECT name FROM person_copies WHERE id = ANY($1) ORDER BY id', [ids])

it('keeps the highest revision of each row, also when revisions come twice or out of order', async () => {
  const [one, other] = [randomId(), randomId()].sort() as [bigint, bigint]
  expect(await keep(person(one, 'Anna', 1n), person(other, 'Olaf', 5n))).toBe(2)
  expect(await keep(person(one, 'Anne', 3n), person(other, 'Old', 4n))).toBe(1)
  expect(await keep(person(one, 'Anna', 1n))).toBe(0)
  expect(await keep(person(one, 'Same', 3n))).toBe(0)
  expect(await keep()).toBe(0)
  expect(await names([one, other])).toEqual([{ name: 'Anne' }, { name: 'Olaf' }])
})

it('keeps the highest revision when one call has several of the same row', async () => {
  const [one, other] = [randomId(), randomId()].sort() as [bigint, bigint]
  expect(await keep(person(one, 'Anna', 1n), person(one, 'Anne', 3n), person(other, 'Olaf', 1n), person(one, 'Anja', 2n))).toBe(2)
  expect(await names([one, other])).toEqual([{ name: 'Anne' }, { name: 'Olaf' }])
})

it('does not deadlock when transactions write the same rows in another order', async () => {
  const rows = Array.from({ length: 200 }, () => person(randomId(), 'Anna', 1n))
  const next = (revision: bigint) => rows.map((row) => ({ ...row, name: `state ${revision}`, revision }))
  const before = (await notes.metrics.databaseRetries.get()).values
  await Promise.all([2n, 3n, 4n, 5n].flatMap((revision) => [keep(...next(revision)), keep(...next(revision).toReversed())]))
  expect(new Set((await names(rows.map(({ id }) => id))).map(({ name }) => name))).toEqual(new Set(['state 5']))
  expect((await notes.metrics.databaseRetries.get()).values).toEqual(before)
})

it('has the same result in every order of parallel deliveries', async () => {
  const id = randomId()
  const states = Array.from({ length: 20 }, (_, index) => person(id, `state ${index}`, BigInt(index)))
  await Promise.all([...states, ...states.toReversed(), ...states].map((state) => keep(state)))
  expect(await names([id])).toEqual([{ name: 'state 19' }])
})
