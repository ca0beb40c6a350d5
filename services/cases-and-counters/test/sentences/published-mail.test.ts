import { messageTopic } from '@caseway/protos/topics'
import { randomId } from '@caseway/testing'
import { recordsOf } from '@caseway/testing/publish'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { officeFeed } from '../../src/feed/feed.js'
import { changedMail } from '../../src/feed/mail-message.consumer.js'
import { publishedMailRepository } from '../../src/feed/published-mail.repository.js'
import { type CasesDatabase, casesDatabase } from '../support/database.js'

let database: CasesDatabase
beforeAll(async () => {
  database = await casesDatabase()
})
afterAll(() => database.stop())

const entriesOf = (customerId: bigint) =>
  database.rows(
    `SELECT revision::int, user_ids::int[], received_message_ids::int[] AS received, sent_message_ids::int[] AS sent
    FROM feed_entries WHERE feed = $1 ORDER BY revision`,
    [officeFeed(customerId)],
  )

it('events that are handled together are published once each, together for each office and reader', async () => {
  const [here, there] = [randomId(), randomId()]
  const event = { customerId: here, userId: 5n, receivedIds: [], sentIds: [] }
  const first = { ...event, sentIds: [1n, 2n] }
  const records = recordsOf(messageTopic, [
    first,
    { ...event, customerId: there, receivedIds: [9n] },
    { ...event, userId: 0n, receivedIds: [3n] },
    { ...event, sentIds: [1n], receivedIds: [4n] },
  ])
  const consumer = changedMail(publishedMailRepository(database.db))
  await consumer.handle(records[0])
  await consumer.handleBatch?.(records)
  await consumer.handleBatch?.(records)
  expect(await entriesOf(here)).toEqual([
    { revision: 1, user_ids: [5], received: [], sent: [1, 2] },
    { revision: 2, user_ids: [0], received: [3], sent: [] },
    { revision: 3, user_ids: [5], received: [4], sent: [1] },
  ])
  expect(await entriesOf(there)).toEqual([{ revision: 1, user_ids: [5], received: [9], sent: [] }])
})
