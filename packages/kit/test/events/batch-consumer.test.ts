import { unavailable } from '@caseway/kit/errors'
import { batchConsumer, consumer } from '@caseway/kit/events'
import { eventually } from '@caseway/testing'
import { recordsOf as recordsOfTopic } from '@caseway/testing/publish'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { batchTransport, consumersOf } from '../support/consumers.js'
import { type Notes, notesDatabase } from '../support/notes.js'
import { userEvent, userTopic } from '../support/people.js'

let notes: Notes
const { start, letters } = consumersOf(() => notes)
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())
beforeEach(() => notes.rows('TRUNCATE kit.dead_letter'))

const recordsOf = (first: bigint, ...others: bigint[]) =>
  recordsOfTopic(userTopic, [userEvent(first), ...others.map((id) => userEvent(id))])

/** Starts a consumer with this handler. `heard` has the ids of each call, as `1 2 3`. */
async function consuming(handle: (ids: readonly bigint[]) => Promise<void>, options: Parameters<typeof start>[1] = {}) {
  const { transport, bring } = batchTransport()
  const heard: string[] = []
  const take = async (events: readonly { id: bigint }[]) => {
    const ids = events.map(({ id }) => id)
    heard.push(ids.join(' '))
    await handle(ids)
  }
  await start([batchConsumer(userTopic, take)], { transport, ...options })
  return { heard, bring }
}

describe('a batch', () => {
  it('has all messages that are delivered at once, and the metadata of their events', async () => {
    const { transport, bring } = batchTransport()
    const heard: unknown[] = []
    await start([batchConsumer(userTopic, async (events, metas) => void heard.push(events, metas))], { transport })
    const records = recordsOf(1n, 2n)
    expect(await bring(records)).toBe(true)
    expect(heard).toEqual([[userEvent(1n), userEvent(2n)], records.map(({ id, time }) => ({ id, time, key: '7' }))])
  })

  it('is passed to every consumer of the topic, if all of them take batches', async () => {
    const { transport, bring, topics } = batchTransport()
    const heard: string[] = []
    const hear = (name: string) => batchConsumer(userTopic, async (events) => void heard.push(`${name} ${events.length}`), name)
    await start([hear('one'), hear('other')], { transport })
    expect([await bring(recordsOf(1n, 2n)), heard]).toEqual([true, ['one 2', 'other 2']])
    expect(topics()).toEqual([userTopic.name])
    await start([hear('one'), consumer(userTopic, async () => undefined, 'alone')], { transport })
    expect(topics()).toEqual([])
  })

  it('that fails is handled one by one, and an event that fails again is a dead letter', async () => {
    const { transport, bring, subscription } = batchTransport()
    const heard: string[] = []
    const take = async (events: readonly { id: bigint }[]) => {
      heard.push(events.map(({ id }) => id).join(' '))
      if (events.some(({ id }) => id === 2n)) throw new Error('not this one')
    }
    await start([batchConsumer(userTopic, take)], { transport })
    const records = recordsOf(1n, 2n, 3n)
    expect(await bring(records)).toBe(false)
    for (const record of records) await subscription().handle(record)
    expect(heard).toEqual(['1 2 3', '1', '2', '2', '2', '2', '2', '3'])
    expect(await letters()).toMatchObject([{ error: 'Error: not this one' }])
  })

  it('with an invalid record is not handled', async () => {
    const { heard, bring } = await consuming(async () => undefined)
    const [first, ...others] = recordsOf(1n, 2n)
    expect(await bring([{ ...first, payload: Buffer.alloc(0) }, ...others])).toBe(false)
    expect(heard).toEqual([])
  })

  it('has one try', async () => {
    const { heard, bring } = await consuming(async () => {
      throw unavailable()
    })
    expect(await bring(recordsOf(1n, 2n))).toBe(false)
    expect([heard, await letters()]).toEqual([['1 2'], []])
  })

  it('that takes longer than its deadline counts as blocked, and is awaited', async () => {
    const leave = Promise.withResolvers<void>()
    const { heard, bring } = await consuming(() => leave.promise, { tryTimeoutMs: 5 })
    const blocked = async () =>
      (await notes.metrics.blockedEvents.get()).values.find(({ labels }) => labels.topic === userTopic.name)?.value
    const brought = bring(recordsOf(1n, 2n))
    await eventually(async () => expect(await blocked()).toBe(2))
    leave.resolve()
    expect([await brought, heard, await blocked()]).toEqual([true, ['1 2'], 0])
  })

  it('counts in the metrics as all of its events', async () => {
    const handled = async () => {
      const { values } = await notes.metrics.consumerTries.get()
      return values.find(({ labels }) => labels.topic === userTopic.name && labels.outcome === 'handled')?.value ?? 0
    }
    const before = await handled()
    const { bring } = await consuming(async () => undefined)
    await bring(recordsOf(1n, 2n, 3n))
    expect((await handled()) - before).toBe(3)
  })
})
