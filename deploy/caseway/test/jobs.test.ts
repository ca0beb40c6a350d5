import { serviceNames } from '@caseway/registry'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { documentOf, type Installation, installation } from './support/installation.js'

let place: Installation
beforeAll(async () => {
  place = await installation()
})
afterAll(() => place.drop())
beforeEach(async () => {
  await place.auth.rows('TRUNCATE kit.job')
  await place.cases.rows('TRUNCATE kit.job')
})

/** Stores a job in the state after its last run. */
const stop = (state: 'failed' | 'uncertain', key: string | null = null) =>
  place.cases.rows(
    `INSERT INTO kit.job (name, customer_id, key, payload, priority, state, due, run_at, fence, tries, cursor, stopped, error)
     VALUES ('send', 7, $2, '"secret"', 3, $1, now() - interval '1 hour', now(), 5, 5, '{"at": 2}', now(), 'Error: Refused.')`,
    [state, key],
  )

it('jobs list shows failed and uncertain jobs with their errors, without their payloads', async () => {
  await stop('failed', 'mailbox 1')
  await stop('uncertain')
  const job = { service: 'cases-and-counters', job: 'send', id: expect.any(String), customer_id: '7', client_id: null, tries: 5 }
  expect(documentOf(await place.caseway('jobs', 'list', '--json'))).toEqual({
    jobs: [
      { ...job, state: 'failed', key: 'mailbox 1', since: expect.any(String), error: 'Error: Refused.' },
      { ...job, state: 'uncertain', key: null, since: expect.any(String), error: 'Error: Refused.' },
    ],
  })
  const { out } = await place.caseway('jobs', 'list', '--limit', '1')
  expect(out.split('\n')).toEqual([expect.stringMatching(/^SERVICE +JOB /), expect.stringContaining('Error: Refused.')])
  expect((await place.caseway('jobs', 'list', '--service', 'auth')).out).toBe('No job has failed or is uncertain.')
})

it('jobs status counts by state', async () => {
  await stop('failed')
  expect(documentOf(await place.caseway('jobs', 'status', '--json'))).toEqual({
    jobs: [{ service: 'cases-and-counters', job: 'send', state: 'failed', count: 1, oldest_seconds: expect.any(Number) }],
  })
})

it('jobs retry enqueues failed jobs from their last checkpoint with all attempts, and uncertain ones on request', async () => {
  await stop('failed', 'mailbox 1')
  await stop('uncertain')
  const enqueued = serviceNames.map((name) => `${name}: ${name === 'cases-and-counters' ? '1 job' : '0 jobs'} enqueued.`)
  expect((await place.caseway('jobs', 'retry')).out.split('\n')).toEqual(enqueued)
  const jobs = () =>
    place.cases.rows('SELECT customer_id::int AS office, key, payload, priority, state, cursor, tries, fence FROM kit.job ORDER BY id DESC')
  const again = { office: 7, key: 'mailbox 1', payload: 'secret', priority: 3, state: 'ready', cursor: { at: 2 }, tries: 0, fence: 0 }
  expect(await jobs()).toEqual([again, expect.objectContaining({ state: 'uncertain' })])
  expect((await place.caseway('jobs', 'retry', '--uncertain')).out).toContain('cases-and-counters: 1 job enqueued.')
  expect(await jobs()).toEqual([{ ...again, key: null }, again])
})
