import { migrateFurther, type TestDatabase, testDatabase } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'

const name = 'cases-and-counters'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ name, until: '20261127061000_removed_folders' })
})
afterAll(() => database.drop())

it('sentences of an older build get the time at which they were sent, as far as it is known, and keep their versions', async () => {
  await database.rows(`
    INSERT INTO issue_sentences (id, customer_id, issue_id, speaker, body, status, waiting_since, waiting_time, created, modified, version) VALUES
      (1, 1, 1, 'initiator', 'A question', 'sent', NULL, NULL, '2026-11-01 08:00Z', '2026-11-05 08:00Z', 2),
      (2, 1, 1, 'expert', 'A reply to it', 'sent', '2026-11-01 08:00Z', 7200, '2026-11-01 09:00Z', '2026-11-05 08:00Z', 3),
      (3, 1, 1, 'expert', 'Something more', 'sent', NULL, NULL, '2026-11-02 08:00Z', '2026-11-03 08:00Z', 2),
      (4, 1, 1, 'expert', 'A draft', 'draft', NULL, NULL, '2026-11-02 08:00Z', '2026-11-03 08:00Z', 2)`)
  const before = await database.rows('SELECT version, modified FROM issue_sentences ORDER BY id')
  await migrateFurther(database, name)
  expect(await database.rows("SELECT to_char(said AT TIME ZONE 'UTC', 'DD HH24:MI') AS said FROM issue_sentences ORDER BY id")).toEqual([
    ...[{ said: '01 08:00' }, { said: '01 10:00' }, { said: '03 08:00' }, { said: '02 08:00' }],
  ])
  expect(await database.rows('SELECT version, modified FROM issue_sentences ORDER BY id')).toEqual(before)
})
