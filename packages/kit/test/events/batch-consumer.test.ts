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

/** Starts a consumer with this handler. `received` has the ids of each call, as `1 2 3`. */
async function consuming(handle: (ids: readonly bigint[]) => Promise<void>, options: Parameters<typeof start>[1] = {}) {
  const { transport, bring } = batchTransport()
  const received: string[] = []
  const take = async (events: readonly { id: bigint }[]) => {
    const ids = events.map(({ id }) => id)
    received.push(ids.join(' '))
    await handle(ids)
  }
  await start([batchConsumer(userTopic, take)], { transport, ...options })
  return { received, bring }
}

describe('a batch', () => {
  it('has all messages that are delivered at once, and the metadata of their events', async () => {
    const { transport, bring } = batchTransport()
    const received: unknown[] = []
    await start([batchConsumer(userTopic, async (events, metas) => void received.push(events, metas))], { transport })
    const records = recordsOf(1n, 2n)
    expect(await bring(records)).toBe(true)
    expect(received).toEqual([[userEvent(1n), userEvent(2n)], records.map(({ id, time }) => ({ id, time, key: '7' }))])
  })

  it('is passed to every consumer of the topic, if all of them take batches', async () => {
    const { transport, bring, topics } = batchTransport()
    const received: string[] = []
    const receiving = (name: string) => batchConsumer(userTopic, async (events) => void received.push(`${name} ${events.length}`), name)
    await start([receiving('one'), receiving('other')], { transport })
    expect([await bring(recordsOf(1n, 2n)), received]).toEqual([true, ['one 2', 'other 2']])
    expect(topics()).toEqual([userTopic.name])
    await start([receiving('one'), consumer(userTopic, async () => undefined, 'alone')], { transport })
    expect(topics()).toEqual([])
  })

  it('that fails is handled one by one, and an event that fails again is a dead letter', async () => {
    const { transport, bring, subscription } = batchTransport()
    const received: string[] = []
    const take = async (events: readonly { id: bigint }[]) => {
      received.push(events.map(({ id }) => id).join(' '))
      if (events.some(({ id }) => id === 2n)) throw new Error('not this one')
    }
    await start([batchConsumer(userTopic, take)], { transport })
    const records = recordsOf(1n, 2n, 3n)
    expect(await bring(records)).toBe(false)
    for (const record of records) await subscription().handle(record)
    expect(received).toEqual(['1 2 3', '1', '2', '2', '2', '2', '2', '3'])
    expect(await letters()).toMatchObject([{ error: 'Error: not this one' }])
  })

  it('with an invalid record is not handled', async () => {
    const { received, bring } = await consuming(async () => undefined)
    const [first, ...others] = recordsOf(1n, 2n)
    expect(await bring([{ ...first, payload: Buffer.alloc(0) }, ...others])).toBe(false)
    expect(received).toEqual([])
  })

  it('has one try', async () => {
    const { received, bring } = await consuming(async () => {
      throw unavailable()
    })
    expect(await bring(recordsOf(1n, 2n))).toBe(false)
    expect([received, await letters()]).toEqual([['1 2'], []])
  })

  it('that takes longer than its deadline counts as blocked, and is awaited', async () => {
    const leave = Promise.withResolvers<void>()
    const { received, bring } = await consuming(() => leave.promise, { tryTimeoutMs: 5 })
    const blocked = async () =>
      (await notes.metrics.blockedEvents.get()).values.find(({ labels }) => labels.topic === userTopic.name)?.value
    const brought = bring(recordsOf(1n, 2n))
    await eventually(async () => expect(await blocked()).toBe(2))
    leave.resolve()
    expect([await brought, received, await blocked()]).toEqual([true, ['1 2'], 0])
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
