import { unavailable } from '@caseway/kit/errors'
import { batchConsumer, type EventRecords } from '@caseway/kit/events'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { batchTransport, consumersOf } from '../support/consumers.js'
import { type Notes, notesDatabase } from '../support/notes.js'
import { recordOf, userEvent, userTopic } from '../support/people.js'

let notes: Notes
const { start, letters } = consumersOf(() => notes)
beforeAll(async () => {
  notes = await notesDatabase()
})
afterAll(() => notes.stop())
beforeEach(() => notes.rows('TRUNCATE kit.dead_letter'))

const recordsOf = (...ids: [bigint, ...bigint[]]) => ids.map((id) => recordOf(userEvent(id))) as unknown as EventRecords

/** What a consumer has been asked to handle, as `1 2 3`, with what it does then. */
async function consuming(handle: (ids: readonly bigint[]) => Promise<void>, options: Parameters<typeof start>[1] = {}) {
  const { transport, subscription } = batchTransport()
  const heard: string[] = []
  const take = async (events: readonly { id: bigint }[]) => {
    const ids = events.map(({ id }) => id)
    heard.push(ids.join(' '))
    await handle(ids)
  }
  await start([batchConsumer(userTopic, take)], { transport, ...options })
  return { heard, bring: (records: EventRecords) => subscription().handle(records), batched: () => subscription().batched }
}

describe('a consumer of batches', () => {
  it('gets the messages that come at once together, with what identifies the events', async () => {
    const { transport, subscription } = batchTransport()
    const heard: unknown[] = []
    await start([batchConsumer(userTopic, async (events, delivered) => void heard.push(events, delivered))], { transport })
    const records = recordsOf(1n, 2n)
    await subscription().handle(records)
    const delivered = records.map(({ id, time }, at) => ({ event: userEvent(BigInt(at + 1)), meta: { id, time, key: '7' } }))
    expect(heard).toEqual([[userEvent(1n), userEvent(2n)], delivered])
    expect(subscription().batched).toEqual(new Set([userTopic.name]))
  })

  it('gets each of a batch that fails alone, in order, and those that fail again are dead letters', async () => {
    const { heard, bring } = await consuming(async (ids) => {
      if (ids.includes(2n)) throw new Error('not this one')
    })
    await bring(recordsOf(1n, 2n, 3n))
    expect(heard).toEqual(['1 2 3', '1', '2', '2', '2', '2', '2', '3'])
    expect(await letters()).toMatchObject([{ error: 'Error: not this one' }])
  })

  it('gets each alone where one of them cannot be an event', async () => {
    const { heard, bring } = await consuming(async () => undefined)
    const [first, second] = recordsOf(1n, 2n) as unknown as [EventRecords[0], EventRecords[0]]
    await bring([first, { ...second, payload: Buffer.alloc(0) }])
    expect(heard).toEqual(['1'])
    expect(await letters()).toMatchObject([{ error: 'Error: The record has no content.' }])
  })

  it('is tried again without end after what may succeed later, and nothing becomes a dead letter', async () => {
    let failures = 0
    const { heard, bring } = await consuming(async () => {
      if (failures++ < 12) throw unavailable()
    })
    await bring(recordsOf(1n, 2n))
    expect(heard).toEqual(['1 2', ...Array.from({ length: 12 }, () => '1'), '2'])
    expect(await letters()).toEqual([])
  })

  it('that takes longer than its time shows as blocked, and is waited for', async () => {
    const leave = Promise.withResolvers<void>()
    const { heard, bring } = await consuming(() => leave.promise, { tryTimeoutMs: 5 })
    const blocked = async () =>
      (await notes.metrics.blockedEvents.get()).values.find(({ labels }) => labels.topic === userTopic.name)?.value
    const brought = bring(recordsOf(1n, 2n))
    await eventually(async () => expect(await blocked()).toBe(1))
    leave.resolve()
    await brought
    expect([heard, await blocked()]).toEqual([['1 2'], 0])
  })

  it('counts every event of a batch', async () => {
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
