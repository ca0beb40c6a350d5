import { createDatabase, platform } from '@caseway/kit/database'
import { outbox } from '@caseway/kit/events'
import { createLog } from '@caseway/kit/observability'
import { UserEvent } from '@caseway/protos/auth/v1/events'
import { eventually } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { log, type Notes, notesDatabase } from '../support/notes.js'
import { userEvent, userTopic } from '../support/people.js'
import { idOf, oneToTen, recorder, relaysOf } from '../support/relays.js'
import { PrismaClient } from '../support/src/generated/client.js'

let notes: Notes
const { relay, emit, killLeader, stopAll } = relaysOf(() => notes)
beforeEach(async () => {
  notes = await notesDatabase()
})
afterEach(async () => {
  await stopAll()
  await notes.stop()
})

const unpublished = async () => (await notes.rows('SELECT FROM kit.outbox')).length

describe('a relay', () => {
  it('publishes old and new events in order, and is woken by each write', async () => {
    await emit(...oneToTen.slice(0, 5))
    const { transport, ids } = recorder()
    relay(transport, { batch: 2 })
    await eventually(() => expect(ids()).toEqual(oneToTen.slice(0, 5)))
    for (const id of oneToTen.slice(5)) await emit(id)
    await eventually(() => expect(ids()).toEqual(oneToTen))
    await eventually(async () => expect(await unpublished()).toBe(0))
    expect((await notes.metrics.outboxPublished.get()).values).toMatchObject([{ labels: { topic: 'auth.user.v1' }, value: 10 }])
  })

  it('writes the headers of CloudEvents', async () => {
    await emit(1n)
    const [row] = await notes.rows<{ event_id: string; created: Date }>('SELECT event_id, created FROM kit.outbox')
    const { transport, published } = recorder()
    relay(transport)
    await eventually(() => expect(published).toHaveLength(1))
    expect(published[0]).toMatchObject({ topic: 'auth.user.v1', key: '7', id: row?.event_id, time: row?.created })
    expect(published[0]?.headers).toEqual({
      ce_specversion: '1.0',
      ce_id: row?.event_id,
      ce_type: 'auth.user.v1',
      ce_source: '/auth',
      ce_time: row?.created.toISOString(),
      'content-type': 'application/protobuf',
    })
  })

  it('publishes an event that was committed after a newer one', async () => {
    const { transport, ids } = recorder()
    relay(transport)
    await notes.open().write(platform, async (tx) => {
      await outbox(tx, userTopic, userEvent(1n))
      // A write of another pool does not join this transaction.
      await emit(2n)
      await eventually(() => expect(ids()).toEqual([2n]))
    })
    await eventually(() => expect(ids()).toEqual([2n, 1n]))
  })

  it('finds an event without a notification by its next poll', async () => {
    const { transport, ids } = recorder()
    relay(transport, { pollMs: 20 })
    await emit(1n)
    await eventually(() => expect(ids()).toEqual([1n]))
    const columns = 'topic, key, payload, headers'
    const copied = `SELECT 'auth.user.v1', '7', decode('${Buffer.from(UserEvent.encode(userEvent(2n)).finish()).toString('hex')}', 'hex'), '{}'::jsonb`
    await notes.rows(`INSERT INTO kit.outbox (${columns}) ${copied}`)
    await eventually(() => expect(ids()).toEqual([1n, 2n]))
  })

  it('waits longer for more events after a publication of several', async () => {
    const gatherMs = 150
    const publications: bigint[][] = []
    const { transport, ids } = recorder(async (records) => void publications.push(records.map(idOf)))
    relay(transport, { gatherMs })
    await emit(1n)
    await eventually(() => expect(ids()).toEqual([1n]))
    await emit(2n, 3n)
    await eventually(() => expect(ids()).toHaveLength(3))
    const begun = performance.now()
    await emit(4n)
    await emit(5n)
    await eventually(() => expect(publications).toEqual([[1n], [2n, 3n], [4n, 5n]]))
    expect(performance.now() - begun).toBeGreaterThan(3 * gatherMs)
  })

  it('ignores events that a relay of an older build has marked as published', async () => {
    await emit(1n, 2n)
    await notes.rows('UPDATE kit.outbox SET published_at = now() WHERE id = 1')
    const { transport, ids } = recorder()
    relay(transport)
    await eventually(async () => expect(await notes.rows('SELECT id FROM kit.outbox')).toEqual([{ id: '1' }]))
    expect(ids()).toEqual([2n])
  })

  it('publishes again, in the same order, when the transport rejects', async () => {
    let refusals = 0
    const { transport, ids } = recorder(async () => {
      if (refusals++ < 2) throw new Error('the broker is down')
    })
    relay(transport)
    await emit(...oneToTen)
    await eventually(() => expect(ids()).toEqual(oneToTen))
    expect(refusals).toBe(3)
  })

  it('loses nothing when it is killed between publishing and deleting', async () => {
    await emit(...oneToTen)
    const { transport, ids } = recorder(async () => {
      if (ids().length === 0) await killLeader()
    })
    relay(transport, { pollMs: 20 })
    await eventually(async () => expect(await unpublished()).toBe(0))
    expect(new Set(ids())).toEqual(new Set(oneToTen))
  })

  it('stops although the transport hangs, and leaves the event for the next one', async () => {
    await emit(1n)
    const reached = Promise.withResolvers<void>()
    const hanging = recorder(() => {
      reached.resolve()
      return new Promise<never>(() => {})
    })
    const stuck = relay(hanging.transport, { graceMs: 20 })
    await reached.promise
    await stuck.stop()
    const { transport, ids } = recorder()
    relay(transport)
    await eventually(() => expect(ids()).toEqual([1n]))
  })

  it('deletes the published events before it stops', async () => {
    await emit(1n)
    const reached = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const { transport } = recorder(() => {
      reached.resolve()
      return leave.promise
    })
    const started = relay(transport)
    await reached.promise
    const stopped = started.stop()
    leave.resolve()
    await stopped
    expect(await unpublished()).toBe(0)
  })

  it('publishes nothing more once it is stopped', async () => {
    await emit(1n)
    const reached = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    const { transport, ids } = recorder(() => {
      reached.resolve()
      return leave.promise
    })
    // Each publication is full: the next one would follow at once.
    const started = relay(transport, { batch: 1 })
    await reached.promise
    await emit(2n)
    const stopped = started.stop()
    leave.resolve()
    await stopped
    expect(ids()).toEqual([1n])
    expect(await unpublished()).toBe(1)
  })

  it('waits for a database that is unavailable', async () => {
    const lines: string[] = []
    const complaints = createLog({ service: 'kit-test', destination: { write: (line) => void lines.push(line) } })
    const gone = notes.open()
    await gone.close()
    const url = 'postgresql://nobody@127.0.0.1:1/nothing'
    const db = { ...gone, connect: createDatabase({ url, client: PrismaClient, log, metrics: notes.metrics }).connect }
    relay(recorder().transport, { db, log: complaints, pollMs: 5 })
    await eventually(() => {
      expect(lines.filter((line) => line.includes('the relay lost its connection')).length).toBeGreaterThan(1)
      expect(lines.join()).toContain('the state of the outbox could not be read')
    })
  })

  it('exports the age of the oldest unpublished event', async () => {
    await emit(1n, 2n)
    await notes.rows("UPDATE kit.outbox SET created = now() - interval '1 hour' WHERE id = 1")
    relay(recorder(() => new Promise<never>(() => {})).transport, { graceMs: 0 })
    await eventually(async () => expect((await notes.metrics.outboxOldest.get()).values[0]?.value).toBeGreaterThan(3500))
  })

  it('exports the number of unpublished events and of dead letters', async () => {
    await emit(1n, 2n)
    await notes.rows(
      `INSERT INTO kit.dead_letter (consumer, event_id, topic, key, payload, headers, time, error)
       SELECT 'c', gen_random_uuid(), 't', 'k', '', '{}', now(), 'e' FROM generate_series(1, 3)`,
    )
    relay(recorder(() => new Promise<never>(() => {})).transport, { graceMs: 0 })
    await eventually(async () => {
      expect((await notes.metrics.outboxWaiting.get()).values[0]?.value).toBe(2)
      expect((await notes.metrics.deadLettersWaiting.get()).values[0]?.value).toBe(3)
    })
  })
})
