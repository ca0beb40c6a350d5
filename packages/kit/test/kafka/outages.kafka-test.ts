import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeCertificates } from '@caseway/install/certificates/authority.mjs'
import { type Broker, startBroker } from '@caseway/install/kafka/broker.mjs'
import { createTopics, type EventRecord, type EventTransport, kafkaConnection } from '@caseway/kit/events'
import { UserEvent } from '@caseway/protos/auth/v1/events'
import { eventually } from '@caseway/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { log } from '../support/notes.js'
import { recordOf, userEvent } from '../support/people.js'
import { transportTo } from './support.js'

const home = mkdtempSync(join(tmpdir(), 'caseway-outages-'))
const patient = { timeoutMs: 60_000, everyMs: 200 }
let broker: Broker

async function start(port?: number, changes: { home?: string; password?: string } = {}): Promise<Broker> {
  return startBroker({ home, port, certificate: (await certificates).kafka, password: 'of this test', ...changes })
}
const certificates = writeCertificates(join(home, 'certificates'), { kafka: ['127.0.0.1'] })
const settings = () => ({ brokers: [broker.address], security: broker.security })
const open: EventTransport[] = []

beforeAll(async () => {
  broker = await start()
})
afterEach(() => Promise.all(open.splice(0).map((transport) => transport.stop())))
afterAll(async () => {
  await broker.stop()
  rmSync(home, { recursive: true, force: true })
})

const kafka = () => kafkaConnection({ ...settings(), clientId: 'outages', log })

async function newTopic(partitions?: number): Promise<string> {
  const topic = `outages.${randomUUID()}.v1`
  await createTopics(kafka(), [topic], { partitions })
  return topic
}

function copy(): EventTransport {
  const transport = transportTo(settings())
  open.push(transport)
  return transport
}

async function collect(topic: string, group: string, { transport = copy(), broadcast = false } = {}) {
  const received: bigint[] = []
  const handle = async ({ payload }: EventRecord) => void received.push(UserEvent.decode(payload).id)
  const subscription = await transport.subscribe({ group, topics: [topic], handle, broadcast })
  return { received, subscription, transport }
}

const records = (topic: string, from: number, count: number) =>
  Array.from({ length: count }, (_, i) => recordOf(userEvent(BigInt(from + i), { customerId: BigInt(i) }), topic))

/** Retries like a relay until all records are published. */
const publish = (transport: EventTransport, some: readonly EventRecord[]) => eventually(() => transport.publish(some), patient)

const distinct = (ids: readonly bigint[]) => [...new Set(ids)].sort((a, b) => Number(a - b))
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => BigInt(from + i))

describe('events over Kafka', () => {
  it('are all delivered to a group that subscribes later', async () => {
    const topic = await newTopic()
    await publish(copy(), records(topic, 1, 90))
    const { received } = await collect(topic, 'later')
    await eventually(() => expect(distinct(received)).toEqual(numbers(1, 90)), patient)
  })

  it('are shared by two copies, and all go to the remaining one', async () => {
    const topic = await newTopic()
    const [one, other] = [await collect(topic, 'pair'), await collect(topic, 'pair')]
    const relay = copy()
    await eventually(async () => {
      await publish(relay, records(topic, 1, 60))
      expect([one.received.length > 0, other.received.length > 0]).toEqual([true, true])
    }, patient)
    await one.transport.stop()
    await publish(relay, records(topic, 1001, 60))
    await eventually(() => expect(distinct(other.received.filter((id) => id > 1000n))).toEqual(numbers(1001, 1060)), patient)
  })

  it('survive a broker that is killed and started again', async () => {
    const topic = await newTopic()
    const { received, transport } = await collect(topic, 'restart')
    await publish(transport, records(topic, 1, 10))
    process.kill(broker.pid, 'SIGKILL')
    await broker.stopped
    const waiting = publish(transport, records(topic, 11, 10))
    await eventually(() => expect(transport.receiving()).toBe(false), patient)
    broker = await start(broker.port)
    await waiting
    await eventually(() => expect(distinct(received)).toEqual(numbers(1, 20)), patient)
    expect(transport.healthy()).toBe(true)
    await eventually(() => expect(transport.receiving()).toBe(true), patient)
  })

  it('continue after a broker that refused every login, also those that are broadcast', async () => {
    const topic = await newTopic()
    const { received, transport } = await collect(topic, 'turned away')
    const { received: broadcast } = await collect(topic, 'turned away', { transport, broadcast: true })
    await publish(transport, records(topic, 1, 10))
    await eventually(() => expect([distinct(received), distinct(broadcast)]).toEqual([numbers(1, 10), numbers(1, 10)]), patient)
    await broker.stop()
    const other = await start(broker.port, { home: join(home, 'other'), password: 'another' })
    await eventually(() => expect(transport.receiving()).toBe(false), patient)
    await expect(transport.publish(records(topic, 11, 1))).rejects.toThrow()
    await other.stop()
    broker = await start(broker.port)
    await publish(copy(), records(topic, 11, 10))
    await eventually(() => expect([distinct(received), distinct(broadcast)]).toEqual([numbers(1, 20), numbers(1, 20)]), patient)
    // Events from before may be delivered once more, and those published while the broker starts may be duplicated.
    expect(broadcast.filter((id) => id <= 10n).length).toBeLessThanOrEqual(20)
  })

  it('wait for a broker that hangs', async () => {
    const topic = await newTopic()
    const { received, transport } = await collect(topic, 'hang')
    await publish(transport, records(topic, 1, 10))
    await eventually(() => expect(distinct(received)).toEqual(numbers(1, 10)), patient)
    process.kill(broker.pid, 'SIGSTOP')
    const waiting = publish(transport, records(topic, 11, 10))
    // Longer than the silence after which a consumer counts as unhealthy while the broker answers.
    await pause(45_000)
    expect([transport.healthy(), transport.receiving()]).toEqual([true, false])
    process.kill(broker.pid, 'SIGCONT')
    await waiting
    await eventually(() => expect(distinct(received)).toEqual(numbers(1, 20)), patient)
    await eventually(() => expect(transport.healthy()).toBe(true), patient)
  })

  it('are delivered from partitions that were added later', async () => {
    const topic = await newTopic(1)
    const { received, transport } = await collect(topic, 'grow')
    await publish(transport, records(topic, 1, 20))
    const admin = kafka().admin()
    await admin.connect()
    await admin.createPartitions({ topicPartitions: [{ topic, count: 6 }] })
    await admin.disconnect()
    let next = 21
    await eventually(async () => {
      await publish(transport, records(topic, next, 20))
      next += 20
      const partitions = new Set(await partitionsWithEvents(topic))
      expect(partitions.size).toBeGreaterThan(1)
    }, patient)
    await eventually(() => expect(distinct(received)).toEqual(numbers(1, next - 1)), patient)
  })
})

async function partitionsWithEvents(topic: string): Promise<number[]> {
  const admin = kafka().admin()
  await admin.connect()
  const offsets = await admin.fetchTopicOffsets(topic)
  await admin.disconnect()
  return offsets.filter(({ high }) => high !== '0').map(({ partition }) => partition)
}
