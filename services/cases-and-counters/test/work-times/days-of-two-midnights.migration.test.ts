import { migrateFurther, type TestDatabase, testDatabase } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'

const name = 'cases-and-counters'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ name, until: '20261128070200_feed_entries_of_offices' })
})
afterAll(() => database.drop())

it('work around a midnight that occurs twice is counted again, and other facts stay', async () => {
  await database.rows("INSERT INTO customers (id, time_zone, revision) VALUES (1, 'Atlantic/Azores', 1), (2, 'Europe/Lisbon', 1)")
  await database.rows(`
    INSERT INTO work_times (id, customer_id, user_id, kind, started, ended) VALUES
      (1, 1, 1, 'work', '2025-10-26 00:10Z', '2025-10-26 00:50Z'),
      (2, 1, 2, 'work', '2025-10-25 23:30Z', '2025-10-26 01:30Z'),
      (3, 1, 3, 'work', '2025-10-27 12:00Z', '2025-10-27 13:00Z'),
      (4, 2, 4, 'work', '2025-10-26 00:10Z', '2025-10-26 00:50Z')`)
  // The facts of the previous build. Days without two midnights stay, whatever they contain.
  await database.rows(`
    INSERT INTO work_time_days (work_time_id, day, customer_id, seconds) VALUES
      (2, '2025-10-25', 1, 5400), (2, '2025-10-26', 1, 1800), (3, '2025-10-27', 1, 1), (4, '2025-10-26', 2, 2)`)
  await migrateFurther(database, name)
  const days = await database.rows('SELECT work_time_id::int AS id, day::text, seconds FROM work_time_days ORDER BY work_time_id, day')
  expect(days).toEqual([
    { id: 1, day: '2025-10-26', seconds: 2400 },
    { id: 2, day: '2025-10-25', seconds: 1800 },
    { id: 2, day: '2025-10-26', seconds: 5400 },
    { id: 3, day: '2025-10-27', seconds: 1 },
    { id: 4, day: '2025-10-26', seconds: 2 },
  ])
})
