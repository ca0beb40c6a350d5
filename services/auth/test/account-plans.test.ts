import { type TestDatabase, testDatabase } from '@caseway/testing'
import { withSettings } from '@caseway/testing/scoped-access'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { accountByAddress } from '../src/database.js'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ name: 'auth' })
  const names = "'Ada', 'Nowak' FROM generate_series(1, 5_000) n"
  await database.rows(
    `INSERT INTO users (user_role_id, customer_id, email, firstname, lastname) SELECT 1, n % 7, n || '@Office.test', ${names}`,
  )
  await database.rows(`INSERT INTO clients (email, firstname, lastname) SELECT n || '@Client.test', ${names}`)
  await database.rows('ANALYZE')
})
afterAll(() => database.drop())

it.each([
  ['users', accountByAddress.user('77@OFFICE.test')],
  ['clients', accountByAddress.client('77@CLIENT.test')],
])('an account of %s is found by its address in any case, and no other is read', async (table, { sql, parameters }) => {
  const { rows, plan } = await withSettings(database, { 'app.platform': 'on' }, async (connection) => ({
    rows: (await connection.query(sql, [...parameters])).rows,
    plan: JSON.stringify((await connection.query(`EXPLAIN ${sql}`, [...parameters])).rows),
  }))
  expect(rows).toEqual([{ id: '77' }])
  expect(plan).toContain(`${table}_email_lower_idx`)
  expect(plan).not.toContain(`Seq Scan on ${table}`)
})
