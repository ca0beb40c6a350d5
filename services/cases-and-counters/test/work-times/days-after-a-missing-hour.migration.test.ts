import { migrateFurther, type TestDatabase, testDatabase } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'

const name = 'cases-and-counters'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ name, until: '20261201091200_search_without_the_index_of_offices' })
})
afterAll(() => database.drop())

it('work around an hour that is skipped before midnight is counted again, and other facts stay', async () => {
  await database.rows("INSERT INTO customers (id, time_zone, revision) VALUES (1, 'America/Nuuk', 1), (2, 'Europe/Warsaw', 1)")
  await database.rows(`
    INSERT INTO work_times (id, customer_id, user_id, kind, started, ended) VALUES
      (1, 1, 1, 'work', '2026-03-29 01:10Z', '2026-03-29 01:50Z'),
      (2, 1, 2, 'work', '2026-03-29 00:10Z', '2026-03-29 02:30Z'),
      (3, 1, 3, 'work', '2026-10-25 00:10Z', '2026-10-25 02:30Z'),
      (4, 2, 4, 'work', '2026-03-29 00:10Z', '2026-03-29 02:30Z')`)
  // The facts of the previous build. Those of other days stay, whatever they contain.
  await database.rows(`
    INSERT INTO work_time_days (work_time_id, day, customer_id, seconds) VALUES
      (2, '2026-03-28', 1, 6600), (2, '2026-03-29', 1, 1800), (3, '2026-10-24', 1, 1), (4, '2026-03-29', 2, 2)`)
  await migrateFurther(database, name)
  const days = await database.rows('SELECT work_time_id::int AS id, day::text, seconds FROM work_time_days ORDER BY work_time_id, day')
  expect(days).toEqual([
    { id: 1, day: '2026-03-29', seconds: 2400 },
    { id: 2, day: '2026-03-28', seconds: 3000 },
    { id: 2, day: '2026-03-29', seconds: 5400 },
    { id: 3, day: '2026-10-24', seconds: 1 },
    { id: 4, day: '2026-03-29', seconds: 2 },
  ])
})
