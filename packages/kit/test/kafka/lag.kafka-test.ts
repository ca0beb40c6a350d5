import { randomUUID } from 'node:crypto'
import { createTopics, type EventTransport, kafkaConnection, readLag } from '@caseway/kit/events'
import { eventually } from '@caseway/testing'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { log } from '../support/notes.js'
import { recordOf, userEvent } from '../support/people.js'
import { broker, transportTo } from './support.js'

const kafka = kafkaConnection({ ...broker, clientId: 'lag', log })
const topics = [`lag.${randomUUID()}.v1`, `lag.${randomUUID()}.v1`] as const
const [subscribed, silent] = topics
const group = `group-${randomUUID()}`

let transport: EventTransport
beforeAll(async () => {
  await createTopics(kafka, topics)
  transport = transportTo(broker)
})
afterAll(() => transport.stop())

const publish = (...ids: bigint[]) => transport.publish(ids.map((id) => recordOf(userEvent(id, { customerId: id }), subscribed)))

describe('the lag of a group', () => {
  it('is all events before the group has subscribed', async () => {
    await publish(1n, 2n, 3n)
    const [ofSubscribed, ofSilent] = await readLag(kafka, group, topics)
    // Where a partition of the new topic was not ready, all three were published again (at least once).
    expect(ofSubscribed?.lag).toBeGreaterThanOrEqual(3)
    expect([ofSubscribed?.topic, ofSilent]).toEqual([subscribed, { topic: silent, lag: 0 }])
  })

  it('is the events since it was last subscribed', async () => {
    const subscription = await transport.subscribe({ group, topics: [subscribed], handle: async () => undefined })
    await eventually(async () => expect(await readLag(kafka, group, [subscribed])).toEqual([{ topic: subscribed, lag: 0 }]), {
      timeoutMs: 20_000,
    })
    await subscription.stop()
    await publish(4n, 5n)
    expect(await readLag(kafka, group, [subscribed])).toEqual([{ topic: subscribed, lag: 2 }])
  })

  it('is unknown where a topic is not declared', async () => {
    expect(await readLag(kafka, group, ['lag.not-there.v1'])).toEqual([{ topic: 'lag.not-there.v1', lag: undefined }])
  })
})

describe('a declaration of topics', () => {
  it('returns the topics that it has created', async () => {
    const name = `lag.${randomUUID()}.v1`
    expect(await createTopics(kafka, [subscribed, name], { partitions: 2 })).toEqual([name])
    expect(await createTopics(kafka, [subscribed, name])).toEqual([])
  })
})
