import { platform } from '@caseway/kit/database'
import { consumer, createDirectTransport, listDeadLetters, outbox, readEventState, startConsumers } from '@caseway/kit/events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { log, type Notes, notesDatabase } from '../support/notes.js'
import { recordOf, userEvent, userTopic } from '../support/people.js'

let notes: Notes
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())
beforeEach(() => notes.rows('TRUNCATE kit.dead_letter, kit.outbox'))

const publishUser = (id: bigint) => notes.db.write(platform, (tx) => outbox(tx, userTopic, userEvent(id)))

/** Inserts dead letters of a consumer, in this order. */
async function bury(count: number) {
  const transport = createDirectTransport()
  const refuse = consumer(userTopic, async () => {
    throw new Error('not me')
  })
  const options = { transport, group: 'tests', db: notes.db, log, metrics: notes.metrics, backOffMs: [] }
  await startConsumers({ ...options, consumers: [refuse] })
  const records = Array.from({ length: count }, (_, index) => recordOf(userEvent(BigInt(index))))
  for (const record of records) await transport.publish([record])
  return records
}

describe('the state of the events', () => {
  it('is zero where nothing waits', async () => {
    await publishUser(1n)
    await notes.rows('UPDATE kit.outbox SET published_at = now()')
    expect(await readEventState(notes.db)).toEqual({ unpublished: 0, oldestSeconds: 0, deadLetters: 0 })
  })

  it('counts waiting events and dead letters, and has the age of the oldest event', async () => {
    for (const id of [1n, 2n, 3n]) await publishUser(id)
    await notes.rows("UPDATE kit.outbox SET created = now() - interval '1 hour' WHERE id = (SELECT min(id) FROM kit.outbox)")
    await bury(2)
    const { oldestSeconds, ...counts } = await readEventState(notes.db)
    expect(counts).toEqual({ unpublished: 3, deadLetters: 2 })
    expect(oldestSeconds).toBeGreaterThanOrEqual(3600)
    expect(oldestSeconds).toBeLessThan(3660)
  })

  it('counts at most 10,000', async () => {
    await notes.rows("INSERT INTO kit.outbox (topic, key, payload) SELECT 't', 'k', '' FROM generate_series(1, 10001)")
    await notes.rows(
      `INSERT INTO kit.dead_letter (consumer, event_id, topic, key, payload, headers, time, error)
       SELECT 'c', gen_random_uuid(), 't', 'k', '', '{}', now(), 'e' FROM generate_series(1, 10001)`,
    )
    expect(await readEventState(notes.db)).toMatchObject({ unpublished: 10_000, deadLetters: 10_000 })
  })
})

describe('a list of the dead letters', () => {
  it('begins with the oldest, and contains no payloads', async () => {
    const [first, second] = await bury(3)
    const letter = { consumer: 'auth.user.v1', topic: 'auth.user.v1', key: '7', error: 'Error: not me', since: expect.any(Date) }
    expect(await listDeadLetters(notes.db, 2)).toEqual([
      { ...letter, eventId: first?.id, time: first?.time },
      { ...letter, eventId: second?.id, time: second?.time },
    ])
  })
})
