import { randomUUID } from 'node:crypto'
import { createTopics, type EventRecord, type EventTransport, kafkaConnection, readLag } from '@caseway/kit/events'
import { UserEvent } from '@caseway/protos/auth/v1/events'
import { eventually } from '@caseway/testing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { log } from '../support/notes.js'
import { recordOf, userEvent } from '../support/people.js'
import { broker, transportTo } from './support.js'

const kafka = kafkaConnection({ ...broker, clientId: 'gaps', log })
const patient = { timeoutMs: 30_000 }

let transport: EventTransport
let topic: string
let group: string
beforeEach(async () => {
  topic = `gaps.${randomUUID()}.v1`
  group = `group-${randomUUID()}`
  await createTopics(kafka, [topic], { partitions: 1 })
  transport = transportTo(broker)
})
afterEach(() => transport.stop())

const publish = (...ids: bigint[]) =>
  eventually(() => transport.publish(ids.map((id) => recordOf(userEvent(id, { customerId: id }), topic))), patient)

/** Deletes records as the retention of the topic does. */
async function deleteBefore(offset: number): Promise<void> {
  const admin = kafka.admin()
  await admin.connect()
  // kafkajs deletes only from topics whose offsets the admin has fetched before.
  await admin.fetchTopicOffsets(topic)
  await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: String(offset) }] })
  await admin.disconnect()
}

async function subscribe(handle: (id: bigint) => Promise<void> = async () => undefined) {
  const steps: (bigint | 'gap')[] = []
  const take = async ({ payload }: EventRecord) => {
    const { id } = UserEvent.decode(payload)
    await handle(id)
    steps.push(id)
  }
  const onGap = async (topics: readonly string[]) => {
    expect(topics).toEqual([topic])
    steps.push('gap')
  }
  const { stop } = await transport.subscribe({ group, topics: [topic], handle: take, onGap })
  return { steps, stop }
}
const noted = () => eventually(async () => expect(await readLag(kafka, group, [topic])).toEqual([{ topic, lag: 0 }]), patient)

describe('a group', () => {
  it('that subscribes again before an event is deleted that it has not read has no gap', async () => {
    await publish(1n, 2n)
    const first = await subscribe()
    await eventually(() => expect(first.steps).toEqual([1n, 2n]), patient)
    await noted()
    await first.stop()
    await deleteBefore(2)
    await publish(3n)
    const second = await subscribe()
    await eventually(() => expect(second.steps).toEqual([3n]), patient)
  })

  it('whose next event was deleted gets the gap before the remaining events', async () => {
    await publish(1n, 2n)
    const first = await subscribe()
    await eventually(() => expect(first.steps).toEqual([1n, 2n]), patient)
    await noted()
    await first.stop()
    await publish(3n, 4n, 5n)
    await deleteBefore(4)
    const second = await subscribe()
    await eventually(() => expect(second.steps).toEqual(['gap', 5n]), patient)
  })

  it('gets the gap also when no event is left', async () => {
    await publish(1n)
    const first = await subscribe()
    await eventually(() => expect(first.steps).toEqual([1n]), patient)
    await noted()
    await first.stop()
    await publish(2n, 3n)
    await deleteBefore(3)
    const second = await subscribe()
    await eventually(() => expect(second.steps).toEqual(['gap']), patient)
  })

  it('gets a gap for events that are deleted while an event blocks it', async () => {
    let blocked = true
    const { steps } = await subscribe(async (id) => {
      if (id === 2n && blocked) throw new Error('not now')
    })
    await publish(1n)
    await eventually(() => expect(steps).toEqual([1n]), patient)
    await publish(2n, 3n, 4n)
    await deleteBefore(3)
    await eventually(() => expect(steps).toEqual([1n, 'gap', 4n]), patient)
    blocked = false
  })
})
