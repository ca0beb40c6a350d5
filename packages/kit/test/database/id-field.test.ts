import { resourceReads } from '@caseway/kit/database'
import { idText, integerText, line, nullable, once } from '@caseway/kit/fields'
import { defineResource, type ListQuery } from '@caseway/kit/resource'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type Db, employeeOf, type Notes, notesDatabase } from '../support/notes.js'

/** Notes as labels of clients, with one note for each client and the client's id as the id of the record. */
const labelResource = defineResource({
  name: 'Label',
  path: 'label',
  table: 'notes',
  idField: 'client_id',
  fields: { client_id: once(idText), title: line({ max: 100 }), rank: nullable(integerText({ min: 0, max: 100 })) },
  sort: ['client_id', 'rank'],
})

let notes: Notes
let db: Db
let reads: ReturnType<typeof resourceReads<typeof labelResource>>
beforeAll(async () => {
  notes = await notesDatabase()
  db = notes.db
  reads = resourceReads(db, labelResource)
})
afterAll(() => notes.stop())

const labels = [
  { clientId: 30n, title: 'c', rank: 1 },
  { clientId: 10n, title: 'a', rank: 1 },
  { clientId: 20n, title: 'b', rank: null },
]

async function officeWithLabels() {
  const caller = employeeOf(randomId())
  await db.write(caller, (tx) => tx.note.createMany({ data: labels.map((label) => ({ customerId: caller.customerId, ...label })) }))
  return caller
}

describe('a resource whose id is not `id`', () => {
  it('finds, locks and keeps records by that field', async () => {
    const [here, elsewhere] = [await officeWithLabels(), employeeOf(randomId())]
    expect(await reads.get(here, 20n)).toEqual({ clientId: 20n, title: 'b', rank: null, version: 1 })
    expect(await reads.find(elsewhere, 20n)).toBeNull()
    expect((await reads.some(here, [30n, 99n])).map(({ title }) => title)).toEqual(['c'])
    expect(await db.write(here, (tx) => reads.lock(tx, here, 10n, 1))).toMatchObject({ title: 'a' })
    expect(await db.write(here, (tx) => reads.keep(tx, here, [30n, 99n]))).toMatchObject([{ clientId: 30n }])
  })

  it.each<[ListQuery<typeof labelResource>['sort'], string]>([
    [{ field: 'clientId', descending: false }, 'abc'],
    [{ field: 'clientId', descending: true }, 'cba'],
    [{ field: 'rank', descending: false }, 'acb'],
    [{ field: 'rank', descending: true }, 'bca'],
  ])('pages through lists, with that field as the tiebreaker: %j', async (sort, order) => {
    const caller = await officeWithLabels()
    const seen: string[] = []
    let cursor: ListQuery['cursor']
    do {
      const page = await reads.list(caller, { limit: 1, sort, filters: {}, count: false, cursor })
      seen.push(...page.items.map(({ title }) => title))
      cursor = page.next
    } while (cursor)
    expect(seen.join('')).toBe(order)
  })

  it('sorts by that field by default, and cannot be declared without it', () => {
    const { fields } = labelResource
    expect(defineResource({ name: 'Label', path: 'label', table: 'notes', idField: 'client_id', fields }).sort).toEqual(['client_id'])
    expect(() => defineResource({ name: 'Label', path: 'label', table: 'notes', fields })).toThrow('Label has no field id')
  })
})
