import { randomBytes } from 'node:crypto'
import { startJobs } from '@caseway/kit/jobs'
import { createLog, createMetrics } from '@caseway/kit/observability'
import { purge } from '@caseway/kit/purge'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { feedRetention } from '../src/feed/feed-retention.js'
import { type CasesDatabase, casesDatabase } from './support/database.js'

let database: CasesDatabase
beforeAll(async () => {
  database = await casesDatabase()
})
afterAll(() => database.stop())

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
  const log = createLog({ service: 'test', level: 'silent' })
  const { db } = database
  const metrics = createMetrics('test')
  const jobs = startJobs({ db, handlers: [purge({ db, rules: feedRetention, log, metrics })], log, metrics })
  const left = () => database.rows('SELECT revision::int AS what FROM feed_entries UNION ALL SELECT length(role) FROM event_tickets')
  await eventually(async () => expect(await left()).toEqual([{ what: 9 }, { what: 4 }]))
  expect(await database.rows('SELECT role FROM event_tickets')).toEqual([{ role: 'good' }])
  await jobs.stop()
})
