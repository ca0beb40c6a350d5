import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { type Cases, startCases } from './support/cases.js'

let cases: Cases
let service: pg.Client
const large = 1n
const small = 2n

beforeAll(async () => {
  cases = await startCases()
  const fill = (office: bigint, from: number, count: number) =>
    cases.database.rows(
      `INSERT INTO issues (customer_id, number, subject, status, modified)
       SELECT $1, n, 'A case', 'open', now() FROM generate_series($2::int, $3::int) n`,
      [office, from, from + count - 1],
    )
  await fill(large, 1, 40_000)
  await fill(small, 1, 500)
  for (let office = 3n; office < 43n; office++) await fill(office, 1, 500)
  await cases.database.rows('ANALYZE')
  service = new pg.Client({ connectionString: cases.database.url, options: '-c random_page_cost=1.1' })
  await service.connect()
})
afterAll(async () => {
  await service.end()
  await cases.stop()
})

/** The plan by which the service, behind its wall, reads a page of 25. */
async function planOf(office: bigint, order: string, filter = ''): Promise<string> {
  await service.query('BEGIN')
  await service.query("SELECT set_config('app.customer_id', $1, true)", [String(office)])
  const sql = `EXPLAIN SELECT * FROM issues WHERE customer_id = ${office} ${filter} ORDER BY ${order} LIMIT 26`
  const { rows } = await service.query<{ 'QUERY PLAN': string }>(sql)
  await service.query('COMMIT')
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

describe.each([
  ['most of all rows', large],
  ['few of them', small],
])('a page of an office that has %s', (_, office) => {
  it.each([
    ['id', 'issues_customer_id_id_idx'],
    ['id DESC', 'issues_customer_id_id_idx'],
    ['modified DESC, id DESC', 'issues_customer_id_modified_id_idx'],
  ])('in the order of %s is read from its index, and no other row', async (order, index) => {
    const plan = await planOf(office, order)
    expect(plan).toContain(index)
    expect(plan).not.toMatch(/Sort|Seq Scan/)
  })
})
