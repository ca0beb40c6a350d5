import { randomUUID } from 'node:crypto'
import { createTopics, type EventTransport, kafkaConnection } from '@caseway/kit/events'
import { createMetrics, type Metrics } from '@caseway/kit/observability'
import { eventually } from '@caseway/testing'
import { afterEach, describe, expect, it } from '@jest/globals'
import { log } from '../support/notes.js'
import { recordOf, userEvent } from '../support/people.js'
import { broker, transportTo } from './support.js'

const patient = { timeoutMs: 25_000 }
const open: EventTransport[] = []
afterEach(() => Promise.all(open.splice(0).map((transport) => transport.stop())))

function copy(metrics: Metrics = createMetrics('kafka-test')): EventTransport {
  const transport = transportTo(broker, metrics)
  open.push(transport)
  return transport
}

const lastPollAt = async ({ consumerLastPoll }: Metrics) =>
  Object.fromEntries((await consumerLastPoll.get()).values.map(({ labels, value }) => [labels.kind, value]))
const shownPartitions = async ({ consumerLag }: Metrics) => (await consumerLag.get()).values.map(({ labels }) => labels.partition)

describe('the metrics of a subscription', () => {
  it('show the time of the last response of the broker, by kind of subscription', async () => {
    const topic = `metrics.${randomUUID()}.v1`
    await createTopics(kafkaConnection({ ...broker, clientId: 'metrics', log }), [topic])
    const metrics = createMetrics('kafka-test')
    expect(await lastPollAt(metrics)).toEqual({})
    const since = Date.now() / 1000
    const subscription = { group: `group-${randomUUID()}`, topics: [topic], handle: async () => {} }
    const transport = copy(metrics)
    await transport.subscribe(subscription)
    await transport.subscribe({ ...subscription, broadcast: true })
    await eventually(async () => {
      const { shared = 0, broadcast = 0 } = await lastPollAt(metrics)
      expect(Math.min(shared, broadcast)).toBeGreaterThan(since)
    }, patient)
  })

  it('show the lag with the events of the batch that is being handled', async () => {
    const topic = `metrics.${randomUUID()}.v1`
    await createTopics(kafkaConnection({ ...broker, clientId: 'metrics', log }), [topic], { partitions: 1 })
    const metrics = createMetrics('kafka-test')
    const transport = copy(metrics)
    const handled = Promise.withResolvers<void>()
    const seventh = recordOf(userEvent(7n), topic)
    const handle = ({ id }: { id: string }) => (id === seventh.id ? handled.promise : Promise.resolve())
    const events = Array.from({ length: 20 }, (_, i) => (i === 6 ? seventh : recordOf(userEvent(BigInt(i)), topic)))
    await transport.publish(events)
    await transport.subscribe({ group: `group-${randomUUID()}`, topics: [topic], handle })
    const lag = async () => (await metrics.consumerLag.get()).values.map(({ value }) => value)
    await eventually(async () => expect(await lag()).toEqual([14]), patient)
    handled.resolve()
    await eventually(async () => expect(await lag()).toEqual([0]), patient)
  })

  it('show the lag of a partition only in the process to which it is assigned', async () => {
    const topic = `metrics.${randomUUID()}.v1`
    await createTopics(kafkaConnection({ ...broker, clientId: 'metrics', log }), [topic], { partitions: 4 })
    const subscription = { group: `group-${randomUUID()}`, topics: [topic], handle: async () => {} }
    const [first, second] = [createMetrics('kafka-test'), createMetrics('kafka-test')]
    const transport = copy(first)
    const publishUsers = () =>
      transport.publish(Array.from({ length: 40 }, (_, i) => recordOf(userEvent(BigInt(i), { customerId: BigInt(i) }), topic)))
    await transport.subscribe(subscription)
    await publishUsers()
    await eventually(async () => expect(await shownPartitions(first)).toHaveLength(4), patient)
    await copy(second).subscribe(subscription)
    await eventually(async () => {
      await publishUsers()
      const [mine, theirs] = [await shownPartitions(first), await shownPartitions(second)]
      expect([mine.length, theirs.length]).toEqual([2, 2])
      expect(new Set([...mine, ...theirs]).size).toBe(4)
    }, patient)
  })
})
