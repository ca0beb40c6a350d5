import { office, statements } from '@caseway/kit/database'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Db } from '../src/database.js'
import { type CasesDatabase, casesDatabase } from './support/database.js'

let database: CasesDatabase
let db: Db
const large = 1n
const small = 2n

beforeAll(async () => {
  database = await casesDatabase()
  db = database.db
  const fill = (offices: string, count: number) =>
    database.rows(
      `INSERT INTO tags (customer_id, user_id, name, color_background, color_text, issue, modified)
       SELECT office, 1, 'Tag', 'ffffff', '000000', false, now() FROM generate_series(${offices}) office, generate_series(1, ${count})`,
    )
  await fill('1, 1', 40_000)
  await fill('2, 201', 100)
  await database.rows(
    `INSERT INTO issues (customer_id, number, subject, status, user_client_id)
     SELECT office, n, 'A question', 'new', CASE WHEN n % 20 = 0 THEN 7 ELSE 100 + n % 50 END
     FROM generate_series(1, 4) office, generate_series(1, 10_000) n`,
  )
  await database.rows("INSERT INTO client_links SELECT n, n, 7, true, 1, 'active', 1 FROM generate_series(1, 4) n")
  await database.rows('ANALYZE')
})
afterAll(() => database.stop())

type Line = { 'QUERY PLAN': string }
const textOf = (lines: readonly Line[]) => lines.map((line) => line['QUERY PLAN']).join('\n')

/** The plan of the service, under row-level security, for a page of 25. */
async function planOf(customerId: bigint, order: string): Promise<string> {
  const sql = `EXPLAIN SELECT * FROM tags WHERE customer_id = ${customerId} ORDER BY ${order} LIMIT 26`
  return textOf((await db.query(office(customerId), { ...statements().selectNoFrom([]).compile(), sql })) as Line[])
}

/** The generic plan, for every office and page size. */
const keptPlan = (order: string) =>
  db.write(office(small), async (tx) => {
    await tx.$executeRawUnsafe(`PREPARE page (bigint, bigint) AS SELECT * FROM tags WHERE customer_id = $1 ORDER BY ${order} LIMIT $2`)
    await tx.$executeRawUnsafe('SET LOCAL plan_cache_mode = force_generic_plan')
    const lines = await tx.$queryRawUnsafe<Line[]>('EXPLAIN EXECUTE page (2, 26)')
    await tx.$executeRawUnsafe('DEALLOCATE page')
    return textOf(lines)
  })

describe.each([
  ['most of all rows', large],
  ['few of them', small],
])('a page of an office that has %s', (_, customerId) => {
  it.each([
    ['id', 'tags_customer_id_id_idx'],
    ['id DESC', 'tags_customer_id_id_idx'],
    ['modified DESC, id DESC', 'tags_customer_id_modified_id_idx'],
  ])('in the order of %s is read from its index, and no other row', async (order, index) => {
    const plan = await planOf(customerId, order)
    expect(plan).toContain(index)
    expect(plan).not.toMatch(/Sort|Seq Scan/)
  })
})

it('a page of the cases of a client is read by their index', async () => {
  const sql = 'EXPLAIN SELECT * FROM issues WHERE user_client_id = 7 ORDER BY id LIMIT 26'
  const plan = textOf((await db.query({ clientId: 7n }, { ...statements().selectNoFrom([]).compile(), sql })) as Line[])
  expect(plan).toContain('issues_user_client_id_id_idx')
  expect(plan).not.toMatch(/Sort|Seq Scan/)
})

it('the card of an address is read by its index, ignoring case', async () => {
  await database.rows(
    `INSERT INTO issue_initiators (customer_id, first_name, last_name, email)
     SELECT office, 'Anna', 'Nowak', 'Anna.' || n || '@Example.test' FROM generate_series(1, 2) office, generate_series(1, 10_000) n`,
  )
  await database.rows('ANALYZE issue_initiators')
  const sql =
    "EXPLAIN SELECT id FROM issue_initiators WHERE customer_id = 1 AND email_lower = lower('ANNA.7@example.test') ORDER BY id LIMIT 1"
  const plan = textOf((await db.query(office(large), { ...statements().selectNoFrom([]).compile(), sql })) as Line[])
  expect(plan).toContain('issue_initiators_customer_id_email_lower_id_idx')
  expect(plan).not.toMatch(/Sort|Seq Scan/)
})

it('the generic plan is the same', async () => {
  const plan = await keptPlan('id')
  expect(plan).toContain('tags_customer_id_id_idx')
  expect(plan).not.toMatch(/Sort|Seq Scan/)
})
