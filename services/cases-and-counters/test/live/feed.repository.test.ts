import { office } from '@caseway/kit/database'
import { randomId } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { maxMissed, officeFeed, since } from '../../src/feed/feed.js'
import { type FeedRepository, feedRepository } from '../../src/feed/feed.repository.js'
import { publishIssues } from '../../src/feed/published-issues.repository.js'
import { type CasesDatabase, casesDatabase } from '../support/database.js'

let database: CasesDatabase
let feeds: FeedRepository
beforeAll(async () => {
  database = await casesDatabase()
  feeds = feedRepository(database.db)
})
afterAll(() => database.stop())

const publish = (customerId: bigint) => database.db.batch(office(customerId), feeds.publishCounters(customerId, [1n]))

it('a feed without entries is at revision 0', async () => {
  expect(await feeds.read(officeFeed(randomId()), 0n)).toEqual({ revision: 0n, entries: [] })
})

it('changes become visible in the order of their revisions, so that a reader misses none', async () => {
  const customerId = randomId()
  const feed = officeFeed(customerId)
  const writers = Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let i = 0; i < 20; i++) await publish(customerId)
    }),
  )
  const seen: bigint[] = []
  for (let position = 0n; position < 160n; ) {
    const state = await feeds.read(feed, position)
    const missed = since(position, state)
    expect(missed).toBeDefined()
    seen.push(...(missed ?? []).map(({ revision }) => revision))
    position = state.revision
  }
  await writers
  expect(seen).toEqual(Array.from({ length: 160 }, (_, i) => BigInt(i + 1)))
})

it('a reader who has missed too much is detected, and one who follows continues', async () => {
  const customerId = randomId()
  await database.rows('INSERT INTO feeds VALUES ($1, $2)', [officeFeed(customerId), maxMissed + 5])
  await database.rows(
    "INSERT INTO feed_entries (feed, revision, customer_id, user_ids) SELECT $1, n, $2, '{}' FROM generate_series(1, $3::int) n",
    [officeFeed(customerId), customerId, maxMissed + 5],
  )
  const state = await feeds.read(officeFeed(customerId), 0n)
  expect(state.entries).toHaveLength(maxMissed)
  expect(since(0n, state)).toBeUndefined()
  expect(since(BigInt(maxMissed), state)).toHaveLength(5)
})

it('changed cases have an entry each', async () => {
  const customerId = randomId()
  await publish(customerId)
  await database.db.batch(office(customerId), publishIssues(customerId, [7n, 5n]))
  const { revision, entries } = await feeds.read(officeFeed(customerId), 1n)
  expect({ revision, entries }).toEqual({
    revision: 3n,
    entries: [
      { revision: 2n, issueId: 7n, userIds: [], notificationIds: [] },
      { revision: 3n, issueId: 5n, userIds: [], notificationIds: [] },
    ],
  })
})

it('of more cases than a reader may miss only the revisions advance', async () => {
  const customerId = randomId()
  const issueIds = Array.from({ length: maxMissed + 1 }, (_, i) => BigInt(i + 1))
  await database.db.batch(office(customerId), publishIssues(customerId, issueIds))
  const state = await feeds.read(officeFeed(customerId), 0n)
  expect(state).toEqual({ revision: BigInt(maxMissed + 1), entries: [] })
  expect(since(0n, state)).toBeUndefined()
})
