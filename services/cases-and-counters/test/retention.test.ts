import { randomBytes, randomUUID } from 'node:crypto'
import { startJobs } from '@caseway/kit/jobs'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { type PurgeRule, purge } from '@caseway/kit/purge'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { feedRetention } from '../src/feed/feed-retention.js'
import { notificationRetention } from '../src/notifications/notification-retention.js'
import { type CasesDatabase, casesDatabase } from './support/database.js'

let database: CasesDatabase
beforeAll(async () => {
  database = await casesDatabase()
})
afterAll(() => database.stop())

/** Runs the purge until `check` holds. */
async function untilPurged(rules: readonly PurgeRule[], check: () => Promise<void>): Promise<void> {
  const log = createLog({ service: 'test', level: 'silent' })
  const { db } = database
  const metrics = createMetrics('test')
  const jobs = startJobs({ db, handlers: [purge({ db, rules, log, metrics, name: randomUUID() })], log, metrics })
  await eventually(check)
  await jobs.stop()
}

it('notifications are kept for thirty days after they were seen, and unseen ones for ever', async () => {
  await database.rows(
    `INSERT INTO notifications (customer_id, user_id, type, object_id, object_version, status, seen_at, created)
     SELECT 1, 1, 'issue_assigned', days, 1, CASE WHEN days < 100 THEN 'seen' ELSE 'new' END,
       CASE WHEN days < 100 THEN now() - days * interval '1 day' END, now() - interval '2 years'
     FROM unnest(ARRAY[29, 31, 100]) days`,
  )
  const left = () => database.rows('SELECT object_id::int AS days FROM notifications ORDER BY 1')
  await untilPurged(notificationRetention, async () => expect(await left()).toEqual([{ days: 29 }, { days: 100 }]))
})

it('entries of the live feeds are kept for ten minutes, tickets until they expire', async () => {
  await database.rows(
    `INSERT INTO feed_entries (feed, revision, customer_id, user_ids, created)
     SELECT 'office:1', age, $1, '{}', now() - age * interval '1 minute' FROM unnest(ARRAY[9, 11]) age`,
    [randomId()],
  )
  await database.rows(
    `INSERT INTO event_tickets (hash, user_id, role, session_id, expires) VALUES
     ($1, 1, 'over', 's', now() - interval '1 second'), ($2, 1, 'good', 's', now() + interval '30 seconds')`,
    [randomBytes(32), randomBytes(32)],
  )
  const left = () => database.rows('SELECT revision::int AS what FROM feed_entries UNION ALL SELECT length(role) FROM event_tickets')
  await untilPurged(feedRetention, async () => expect(await left()).toEqual([{ what: 9 }, { what: 4 }]))
  expect(await database.rows('SELECT role FROM event_tickets')).toEqual([{ role: 'good' }])
})
