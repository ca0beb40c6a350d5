import { randomUUID } from 'node:crypto'
import type { Employee } from '@caseway/kit/caller'
import { resourceReads } from '@caseway/kit/database'
import type { ListQuery } from '@caseway/kit/resource'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Tx } from '../../src/database.js'
import { issueResource } from '../../src/issues/issue.resource.js'
import { type CasesDatabase, casesDatabase } from '../support/database.js'

const cases = 10_000
const office = 1n
/** The number of the newest cases that are searched, for a page of 25, before the index is used. */
const looked = 400
/**
 * The planner reads the lowest and the highest key from the table as long as VACUUM cannot mark its pages as all-visible, because another connection has
 * an older snapshot.
 */
const planner = 2
const caller: Employee = { audience: 'expert', role: 'expert', userId: 1n, customerId: office, sessionId: randomUUID() }

let database: CasesDatabase
beforeAll(async () => {
  database = await casesDatabase()
  // Every case has the word `common`, one has `unique`, the older half has `former`, and some of that half `rarely`. Three other offices have the
  // same.
  await database.rows(
    `INSERT INTO issues (customer_id, number, subject, status, user_id, priority)
     SELECT office, n, 'Common' || CASE n WHEN 77 THEN ' unique' ELSE '' END || CASE WHEN n <= ${cases / 2} THEN ' former' ELSE '' END
         || CASE WHEN n <= ${cases / 2} AND n % 50 = 0 THEN ' rarely' ELSE '' END, 'new', n % 100, CASE WHEN n % 100 = 0 THEN 2 ELSE 3 END
     FROM generate_series(1, 4) office, generate_series(1, ${cases}) n`,
  )
  // Most offices are small, so that the planner expects few documents of any office.
  await database.rows(
    `INSERT INTO issues (customer_id, number, subject, status) SELECT office, 1, 'Small', 'new' FROM generate_series(5, 304) office`,
  )
  await database.rows('VACUUM ANALYZE')
})
afterAll(() => database.stop())

interface Read {
  readonly seq_scan: number
  /** The rows of the table that were read. */
  readonly rows: number
  /** The entries that were read in the index by office. */
  readonly entries: number
}

/** The statistics of the documents for this connection, which may include earlier reads. */
const readSoFar = async (tx: Tx) => {
  const [read] = await tx.$queryRaw<Read[]>`
    SELECT seq_scan::int, (seq_tup_read + idx_tup_fetch)::int AS rows,
      pg_stat_get_xact_tuples_returned('issue_documents_customer_id_issue_id_idx'::regclass)::int AS entries
    FROM pg_stat_xact_user_tables WHERE relname = 'issue_documents'`
  return read as Read
}

/** Reads a page of 25, with the statistics of the documents for it. */
async function search(text: string, more: Partial<ListQuery<typeof issueResource>> = {}) {
  const query = { limit: 25, sort: { field: 'id', descending: true }, filters: {}, search: text, count: false, ...more } as const
  return database.db.write(caller, async (tx) => {
    const before = await readSoFar(tx)
    const { items } = await resourceReads(database.db, issueResource).list(caller, query)
    const after = await readSoFar(tx)
    const read = { seq_scan: after.seq_scan - before.seq_scan, rows: after.rows - before.rows, entries: after.entries - before.entries }
    return { numbers: items.map(({ number }) => number), last: items.at(-1)?.id ?? 0n, read }
  })
}

describe('a search', () => {
  it('for a word of every case reads one document for each case of the page', async () => {
    const { numbers, read } = await search('common')
    expect(numbers).toEqual(Array.from({ length: 25 }, (_, i) => cases - i))
    expect(read.seq_scan).toBe(0)
    expect(read.rows).toBeLessThanOrEqual(25 + 1 + planner)
  })

  it('for a rare word reads the newest cases, and those that the index finds', async () => {
    const { numbers, read } = await search('unique')
    expect(numbers).toEqual([77])
    expect(read.seq_scan).toBe(0)
    expect(read.rows).toBeLessThanOrEqual(looked + 1 + planner)
    expect(read.entries).toBeLessThanOrEqual(looked)
  })

  it('for two words reads those that the index finds for both', async () => {
    const { numbers, read } = await search('common uni')
    expect(numbers).toEqual([77])
    expect(read.rows).toBeLessThanOrEqual(looked + 1 + planner)
  })

  it('for a word of old cases reads no document of another office', async () => {
    const { numbers, read } = await search('former')
    expect(numbers).toEqual(Array.from({ length: 25 }, (_, i) => cases / 2 - i))
    expect(read.seq_scan).toBe(0)
    expect(read.rows).toBeLessThanOrEqual(looked + cases / 2 + planner)
  })

  it('with filters that leave few cases reads only these', async () => {
    const { numbers, read } = await search('unique', { filters: { userId: 77n } })
    expect(numbers).toEqual([77])
    expect(read.seq_scan).toBe(0)
    expect(read.rows).toBeLessThanOrEqual(100 + planner)
  })

  it('with such filters does not use the index, though the page is not full', async () => {
    // The index contains a hundred documents with this word, of which fifty are not in the list.
    const { numbers, read } = await search('rarely', { filters: { userId: 50n }, limit: 60 })
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, i) => cases / 2 - 50 - 100 * i))
    expect(read.seq_scan).toBe(0)
    expect(read.rows).toBeLessThanOrEqual(100 + planner)
  })

  it('for a word of some old cases returns page by page those that the index finds', async () => {
    const numbers: number[] = []
    let cursor: { value: bigint; id: bigint } | undefined
    for (let page = 0; page < 3; page++) {
      const found = await search('rarely', { ...(cursor && { cursor }) })
      numbers.push(...found.numbers)
      cursor = { value: found.last, id: found.last }
    }
    expect(numbers).toEqual(Array.from({ length: 75 }, (_, i) => cases / 2 - 50 * i))
  })

  it('for such a word with a filter returns the filtered cases', async () => {
    const { numbers } = await search('rarely', { filters: { priority: 3 } })
    expect(numbers).toEqual(Array.from({ length: 25 }, (_, i) => cases / 2 - 50 - 100 * i))
  })

  it('in another order finds the same cases', async () => {
    const { numbers } = await search('former', { sort: { field: 'number', descending: false }, limit: 3 })
    expect(numbers).toEqual([1, 2, 3])
    expect((await search('unique', { sort: { field: 'number', descending: true } })).numbers).toEqual([77])
  })
})

it('the document of a case is stored out of line from its first sentence on, so that a page contains many rows', async () => {
  const say = (words: string) =>
    database.rows(
      `INSERT INTO issue_sentences (customer_id, issue_id, speaker, body, status)
       SELECT customer_id, id, 'expert', $1, 'sent' FROM issues WHERE customer_id = 2 AND number <= 100`,
      [words],
    )
  const rows = () =>
    database.rows(
      `SELECT count(*)::int, count(pg_column_toast_chunk_id(document))::int AS moved, count(padding)::int AS padded
       FROM issue_documents JOIN issues ON id = issue_id WHERE issues.customer_id = 2 AND number <= 100`,
    )
  await say('Some words of a first sentence, which are more than the row of a case should have')
  expect(await rows()).toEqual([{ count: 100, moved: 100, padded: 100 }])
  await say('Others')
  expect(await rows()).toEqual([{ count: 100, moved: 100, padded: 0 }])
  await say('Others')
  expect(await rows()).toEqual([{ count: 100, moved: 100, padded: 0 }])
})
