import { office } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { feedRepository } from '../../src/feed/feed.repository.js'
import type { Fact } from '../../src/notifications/notification.js'
import { notificationRepository } from '../../src/notifications/notification.repository.js'
import { type CasesDatabase, casesDatabase } from '../support/database.js'

let database: CasesDatabase
beforeAll(async () => {
  database = await casesDatabase()
})
afterAll(() => database.stop())

const factOf = (customerId: bigint, more: Partial<Fact> = {}): Fact => ({
  ...{ customerId, fromUserId: 1n, issueId: 5n, version: 1 },
  notices: [
    { type: 'sentence_add', userId: 2n },
    { type: 'sentence_add', userId: 3n },
  ],
  ...more,
})

it('the notices of a fact are inserted once, however often it is reported, also concurrently', async () => {
  const { notify } = notificationRepository(database.db, feedRepository(database.db).publishingNotifications)
  const customerId = randomId()
  const tell = (fact: Fact) => database.db.batch(office(customerId), notify(fact))
  await Promise.all(Array.from({ length: 10 }, () => tell(factOf(customerId))))
  await tell(factOf(customerId, { version: 2 }))
  await tell(factOf(customerId, { objectId: 9n }))
  const kept = await database.rows(
    'SELECT user_id::int AS user, object_id::int AS object, object_version AS version FROM notifications WHERE customer_id = $1 ORDER BY 2, 3, 1',
    [customerId],
  )
  const bothUsers = (object: number, version: number) => [2, 3].map((user) => ({ user, object, version }))
  expect(kept).toEqual([...bothUsers(5, 1), ...bothUsers(5, 2), ...bothUsers(9, 1)])
  // Repeated facts were not published to the streams.
  expect(await database.rows('SELECT count(*)::int FROM feed_entries WHERE customer_id = $1', [customerId])).toEqual([{ count: 3 }])
})
