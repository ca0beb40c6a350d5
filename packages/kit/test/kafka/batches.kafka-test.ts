import { setTimeout as pause } from 'node:timers/promises'
import { platform } from '@caseway/kit/database'
import { batchConsumer, createTopics, type EventTransport, kafkaConnection, type Running, startConsumers } from '@caseway/kit/events'
import type { UserEvent } from '@caseway/protos/auth/v1/events'
import { eventually, randomId } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { log, type Notes, notesDatabase } from '../support/notes.js'
import { keepPerson, userTopic } from '../support/people.js'
import { patient, type TransportRun, transportRun } from '../support/transport-run.js'
import { broker, transportTo } from './support.js'

let notes: Notes
let run: TransportRun
let transport: EventTransport
const running: Running[] = []
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())
beforeEach(async () => {
  run = await transportRun(async (topic) => {
    await createTopics(kafkaConnection({ ...broker, clientId: 'batches', log }), [topic])
    transport = transportTo(broker)
    return transport
  }, notes)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((part) => part.stop()))
  await run.stop()
})

/** 1,000 events with seven keys: more than a batch in each partition that has any. */
const count = 1000
const published = async () => {
  const first = randomId()
  const records = Array.from({ length: count }, (_, index) => run.record(first + BigInt(index), { customerId: BigInt(index % 7) }))
  await run.publish(records)
  return {
    first,
    ids: (key: bigint) =>
      Array.from({ length: count }, (_, i) => i)
        .filter((i) => BigInt(i % 7) === key)
        .map((i) => first + BigInt(i)),
  }
}

async function consume(take: (events: readonly UserEvent[]) => Promise<void>) {
  const consumers = [batchConsumer({ ...userTopic, name: run.topic }, take)]
  const parts = { transport, group: run.group, db: notes.db, log, metrics: notes.metrics, backOffMs: [1, 1, 1, 1] }
  running.push(await startConsumers({ ...parts, consumers }))
}

const keepAll = (events: readonly UserEvent[]) =>
  notes.db.write(platform, async (tx) => {
    for (const event of events) await keepPerson(tx, event)
  })

it('events that have arrived meanwhile are handled together, in order for each key', async () => {
  const { ids } = await published()
  const sizes: number[] = []
  const received: UserEvent[] = []
  await consume(async (events) => {
    sizes.push(events.length)
    received.push(...events)
  })
  await eventually(() => expect(received).toHaveLength(count), patient)
  for (let key = 0n; key < 7n; key++) expect(received.filter(({ customerId }) => customerId === key).map(({ id }) => id)).toEqual(ids(key))
  expect(sizes.length).toBeLessThan(count / 10)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(200)
})

it('a poison event leaves one dead letter, and all others have their effect', async () => {
  const { first } = await published()
  const poison = first + 500n
  await consume(async (events) => {
    if (events.some(({ id }) => id === poison)) throw new Error('cannot be understood')
    await keepAll(events)
  })
  const kept = () => notes.rows('SELECT FROM person_copies WHERE id BETWEEN $1 AND $2', [first, first + BigInt(count)])
  await eventually(async () => expect(await kept()).toHaveLength(count - 1), patient)
  const letters = () => notes.rows('SELECT error FROM kit.dead_letter WHERE topic = $1', [run.topic])
  await eventually(async () => expect(await letters()).toEqual([{ error: 'Error: cannot be understood' }]), patient)
})

it('a slow batch is waited for, and its events are not handled concurrently', async () => {
  const { first } = await published()
  const leave = Promise.withResolvers<void>()
  let hung = false
  const times = new Map<bigint, number>()
  await consume(async (events) => {
    for (const { id } of events) times.set(id, (times.get(id) ?? 0) + 1)
    if (!events.some(({ id }) => id === first) || hung) return
    hung = true
    await leave.promise
  })
  // Longer than the time after which the partition is paused; the others go on.
  await eventually(() => expect(times.size).toBeGreaterThan(count / 2), patient)
  await pause(4_000)
  expect([...times.values()].every((handled) => handled === 1)).toBe(true)
  leave.resolve()
  await eventually(() => expect(times.size).toBe(count), patient)
  expect([...times.values()].every((handled) => handled === 1)).toBe(true)
})
