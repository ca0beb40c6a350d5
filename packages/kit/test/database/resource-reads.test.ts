import { resourceReads } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type OwnedResource, selectCount, selectPage, selectRecord } from '../../src/database/resources/resource-statements.js'
import type { ListQuery } from '../../src/resource/index.js'
import { clientNoteResource, type Db, employeeOf, type Notes, noteResource, notesDatabase, someClient } from '../support/notes.js'

let notes: Notes
let db: Db
let reads: ReturnType<typeof resourceReads<typeof noteResource>>
beforeAll(async () => {
  notes = await notesDatabase()
  db = notes.db
  reads = resourceReads(db, noteResource)
})
afterAll(() => notes.stop())

type Query = ListQuery<typeof noteResource>
const query = (changes: Partial<Query> = {}): Query => ({
  limit: 500,
  sort: { field: 'id', descending: false },
  filters: {},
  count: false,
  ...changes,
})

interface Seed {
  title: string
  rank?: number | null
  done?: boolean
  modified?: Date
  clientId?: bigint
}
/** Creates an office with these notes, in this order. @returns an employee of it */
async function officeWith(seeds: Seed[]) {
  const caller = employeeOf(randomId())
  const { customerId } = caller
  await db.write(caller, async (tx) => {
    for (const seed of seeds) await tx.note.create({ data: { customerId, ...seed } })
  })
  return caller
}
const titles = (page: { items: readonly { title: string }[] }) => page.items.map(({ title }) => title)

describe('one record', () => {
  it('has every declared field under its camel-case name, and the version', async () => {
    const caller = employeeOf(randomId())
    const { id } = await db.write(caller, (tx) =>
      tx.note.create({ data: { customerId: caller.customerId, title: 'one', rank: 3, day: new Date('2026-11-21'), done: true } }),
    )
    expect(await reads.get(caller, id)).toEqual({
      id,
      customerId: caller.customerId,
      clientId: null,
      title: 'one',
      rank: 3,
      day: '2026-11-21',
      done: true,
      created: expect.any(Date),
      modified: expect.any(Date),
      version: 1,
    })
  })

  it('of another office is as unknown as one that does not exist', async () => {
    const [mine, other] = [employeeOf(randomId()), await officeWith([{ title: 'theirs' }])]
    const [theirs] = (await reads.list(other, query())).items
    for (const id of [theirs?.id ?? 0n, randomId()]) {
      expect(await reads.find(mine, id)).toBeNull()
      await expect(reads.get(mine, id)).rejects.toMatchObject({ kind: 'not-found' })
      await expect(db.write(mine, (tx) => reads.lock(tx, mine, id))).rejects.toMatchObject({ kind: 'not-found' })
    }
  })

  it('of a resource for clients belongs to the client whose id is in its column', async () => {
    const client = someClient()
    const office = await officeWith([{ title: 'theirs', clientId: client.userId }, { title: 'not theirs' }])
    const clientReads = resourceReads(db, clientNoteResource)
    const [theirs, notTheirs] = (await reads.list(office, query())).items
    expect(await clientReads.get(client, theirs?.id ?? 0n)).toMatchObject({ title: 'theirs' })
    expect(await clientReads.find(client, notTheirs?.id ?? 0n)).toBeNull()
    expect(await clientReads.find(someClient(), theirs?.id ?? 0n)).toBeNull()
  })

  it('of a resource with `ownedBy` belongs to one employee of the office', async () => {
    const ownResource = { ...noteResource, ownedBy: 'client_id' }
    const own = resourceReads(db, ownResource)
    const { customerId, userId } = employeeOf(randomId())
    const anna = { ...employeeOf(customerId), userId }
    await db.write(anna, (tx) =>
      tx.note.createMany({
        data: [
          { customerId, clientId: userId, title: 'mine' },
          { customerId, clientId: randomId(), title: 'a colleague’s' },
        ],
      }),
    )
    const sameIdElsewhere = await officeWith([{ title: 'of another office', clientId: userId }])
    const [mine, colleagues] = (await reads.list(anna, query())).items
    expect(await own.list(anna, query({ count: true }))).toMatchObject({ items: [{ title: 'mine' }], total: 1 })
    expect(await own.get(anna, mine?.id ?? 0n)).toMatchObject({ title: 'mine' })
    expect(await own.some(anna, [mine?.id ?? 0n, colleagues?.id ?? 0n])).toHaveLength(1)
    expect(await own.find(anna, colleagues?.id ?? 0n)).toBeNull()
    expect(await own.list({ ...sameIdElsewhere, userId: randomId() }, query())).toMatchObject({ items: [] })
  })

  it('of a resource for clients cannot be read when the declaration has no `ownedBy`', () => {
    expect(() => resourceReads(db, { ...clientNoteResource, ownedBy: undefined })).toThrow(/declares no column/)
  })
})

it('every statement has a condition on the owner, in addition to row-level security', () => {
  const owned: OwnedResource = { resource: noteResource, ownerColumns: [{ column: 'customer_id', idOf: ({ customerId }) => customerId }] }
  const list = { owner: employeeOf(1n), limit: 1, filters: {}, sort: { field: 'id', descending: false } }
  for (const statement of [selectRecord(owned), selectPage(owned, list), selectCount(owned, list)])
    expect(statement.compile().sql).toContain('where "customer_id" = $1')
})

describe('lock', () => {
  it('returns the current row, and blocks other locks of it', async () => {
    const caller = await officeWith([{ title: 'counted', rank: 0 }])
    const [note] = (await reads.list(caller, query())).items
    const increment = () =>
      db.write(caller, async (tx) => {
        const { id, rank, version } = await reads.lock(tx, caller, note?.id ?? 0n)
        await tx.note.update({ where: { id, customerId: caller.customerId }, data: { rank: (rank ?? 0) + 1, version: version + 1 } })
      })
    await Promise.all(Array.from({ length: 20 }, increment))
    expect(await reads.get(caller, note?.id ?? 0n)).toMatchObject({ rank: 20, version: 21 })
  })

  it('throws `stale` for a version that is not the current one', async () => {
    const caller = await officeWith([{ title: 'changed' }])
    const [note] = (await reads.list(caller, query())).items
    const lock = (expected?: number) => db.write(caller, (tx) => reads.lock(tx, caller, note?.id ?? 0n, expected))
    await expect(lock(2)).rejects.toMatchObject({ kind: 'stale' })
    expect(await lock(1)).toMatchObject({ version: 1 })
    expect(await lock()).toMatchObject({ version: 1 })
  })

  it('throws outside of a transaction', async () => {
    const caller = await officeWith([{ title: 'one' }])
    const [note] = (await reads.list(caller, query())).items
    await expect(reads.lock({}, caller, note?.id ?? 0n)).rejects.toThrow(/read-only transaction/)
  })
})

describe('a list', () => {
  it('has the same order page by page as in one page, also for null values', async () => {
    const ranks = [5, null, 3, 5, null, 1, 3]
    const caller = await officeWith(ranks.map((rank, index) => ({ title: `n${(index * 5) % 7}`, rank })))
    for (const field of ['id', 'title', 'rank', 'modified'] as const) {
      for (const descending of [false, true]) {
        const sort = { field, descending }
        const whole = titles(await reads.list(caller, query({ sort })))
        const paged: string[] = []
        let page = await reads.list(caller, query({ sort, limit: 2 }))
        for (;;) {
          paged.push(...titles(page))
          if (!page.next) break
          page = await reads.list(caller, query({ sort, limit: 2, cursor: page.next }))
        }
        expect({ sort, titles: paged }).toEqual({ sort, titles: whole })
        expect(whole).toHaveLength(7)
      }
    }
  })

  it('is sorted as requested, with null after every value', async () => {
    const caller = await officeWith([{ title: 'b', rank: 2 }, { title: 'none' }, { title: 'a', rank: 1 }, { title: 'c', rank: 2 }])
    const sorted = async (field: 'rank' | 'title', descending: boolean) =>
      titles(await reads.list(caller, query({ sort: { field, descending } })))
    expect(await sorted('rank', false)).toEqual(['a', 'b', 'c', 'none'])
    expect(await sorted('rank', true)).toEqual(['none', 'c', 'b', 'a'])
    expect(await sorted('title', true)).toEqual(['none', 'c', 'b', 'a'])
  })

  it('contains the rows that match all filters, and counts those of all pages', async () => {
    const old = new Date('2020-01-01T00:00:00Z')
    const caller = await officeWith([
      { title: 'a', rank: 1, done: true },
      { title: 'b', rank: 1 },
      { title: 'c', done: true, modified: old },
      { title: 'd', rank: 1, modified: old },
    ])
    const list = async (changes: Partial<Query>) => titles(await reads.list(caller, query(changes)))
    expect(await list({ filters: { rank: 1 } })).toEqual(['a', 'b', 'd'])
    expect(await list({ filters: { rank: 1, done: false } })).toEqual(['b', 'd'])
    expect(await list({ filters: { rank: null } })).toEqual(['c'])
    expect(await list({ filters: { rank: 1 }, modifiedSince: new Date('2020-01-01T00:00:00.001Z') })).toEqual(['a', 'b'])
    expect(await list({ filters: { rank: 1 }, modifiedSince: old })).toEqual(['a', 'b', 'd'])
    const first = await reads.list(caller, query({ filters: { rank: 1 }, limit: 1, count: true }))
    expect(first).toMatchObject({ total: 3, items: [{ title: 'a' }] })
    const second = await reads.list(caller, query({ filters: { rank: 1 }, limit: 1, count: true, cursor: first.next }))
    expect(second).toMatchObject({ total: 3, items: [{ title: 'b' }] })
  })

  it('continues after the last row of the page before', async () => {
    const caller = await officeWith(Array.from({ length: 300 }, (_, index) => ({ title: `n${index}`, rank: index % 3 })))
    const [middle] = (await reads.list(caller, query({ limit: 250 }))).items.slice(-1)
    const { next } = await reads.list(caller, query({ limit: 250 }))
    expect(next).toEqual({ value: middle?.id, id: middle?.id })
    expect(titles(await reads.list(caller, query({ limit: 1000, cursor: next })))).toEqual(
      Array.from({ length: 50 }, (_, i) => `n${250 + i}`),
    )
  })

  it('cannot be sorted by a field that the resource does not have', async () => {
    const caller = employeeOf(randomId())
    const unknown = { sort: { field: 'secret', descending: false } } as unknown as Query
    await expect(reads.list(caller, query(unknown))).rejects.toThrow('Note has no column for secret.')
  })
})
