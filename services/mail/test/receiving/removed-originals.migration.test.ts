import { migrateFurther, type TestDatabase, testDatabase } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'

const name = 'mail'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ name, until: '20261128084659_unreachable_messages' })
})
afterAll(() => database.drop())

it('a message that an older build has removed for good refers to no original any more; others keep theirs', async () => {
  await database.rows(`
    INSERT INTO mail_received_messages (id, customer_id, mail_server_id, user_id, mail_thread_id, timestamp, mail_address, mail_name, mail_to, mail_cc,
      mail_subject, mail_body, body_text, has_attachments, size, sha256, blob_key, removed)
    SELECT id, 1, 1, 1, 1, now(), 'a@x.example', 'A', '[]', '[]', 'A', '', '', false, 1, '\\x00', key, removed
    FROM (VALUES (1, 'stays', false), (2, 'goes', true)) AS message (id, key, removed)`)
  await migrateFurther(database, name)
  expect(await database.rows('SELECT blob_key FROM mail_received_messages ORDER BY id')).toEqual([
    ...[{ blob_key: 'stays' }, { blob_key: 'erased' }],
  ])
})
