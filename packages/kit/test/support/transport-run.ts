import { randomUUID } from 'node:crypto'
import { type ConsumerOptions, consumer, type EventRecord, type EventTransport, type Running, startConsumers } from '@caseway/kit/events'
import { UserEvent } from '@caseway/protos/auth/v1/events'
import { eventually } from '@caseway/testing'
import { log, type Notes } from './notes.js'
import { recordOf, userEvent, userTopic } from './people.js'

/** For a busy machine. */
export const patient = { timeoutMs: 20_000 }

/** The transport of one test, with a topic and a group of its own. */
export interface TransportRun {
  readonly topic: string
  readonly group: string
  record(id: bigint, changes?: Partial<UserEvent>): EventRecord
  /** Publishes records as a relay does: again, until the transport has all of them. */
  publish(records: readonly EventRecord[]): Promise<void>
  subscribe(handle: (record: EventRecord) => Promise<void>, options?: { group?: string; broadcast?: boolean }): Promise<Running>
  /** Subscribes, and collects the records until the subscription is stopped. */
  collect(options?: { group?: string; broadcast?: boolean }): Promise<{ received: EventRecord[]; subscription: Running }>
  consume(
    take: (event: UserEvent) => Promise<unknown>,
    others?: Partial<ConsumerOptions>,
  ): Promise<Parameters<typeof startConsumers>[0]['consumers']>
  /** How many events of the topic are blocked, by the metric. */
  blocked(): Promise<number | undefined>
  stop(): Promise<void>
}

export const idOf = ({ payload }: EventRecord) => UserEvent.decode(payload).id

export async function transportRun(makeTransport: (topic: string) => Promise<EventTransport>, notes: Notes): Promise<TransportRun> {
  const topic = `contract.${randomUUID()}.v1`
  const group = `group-${randomUUID()}`
  const transport = await makeTransport(topic)
  const running: Running[] = []

  const run: TransportRun = {
    topic,
    group,
    record: (id, changes) => recordOf(userEvent(id, changes), topic),
    async publish(records) {
      const left = await eventually(() => transport.publish(records), patient)
      const outcomes = await Promise.allSettled(left.map(({ handled }) => handled))
      const again = left.filter((_, index) => outcomes[index]?.status === 'rejected').map(({ record }) => record)
      if (again.length > 0) await run.publish(again)
    },
    async subscribe(handle, options = {}) {
      const subscription = await transport.subscribe({ group, topics: [topic], handle, ...options })
      running.push(subscription)
      return subscription
    },
    async collect(options) {
      const received: EventRecord[] = []
      const subscription = await run.subscribe(async (record) => void received.push(record), options)
      return { received, subscription }
    },
    async consume(take, others = {}) {
      const user = { ...userTopic, name: topic }
      const consumers = [consumer(user, async (event) => void (await take(event)))]
      const options = { transport, group, consumers, db: notes.db, log, metrics: notes.metrics, backOffMs: [1, 1, 1, 1], ...others }
      running.push(await startConsumers(options))
      return consumers
    },
    blocked: async () => (await notes.metrics.blockedEvents.get()).values.find(({ labels }) => labels.topic === topic)?.value,
    async stop() {
      await Promise.all(running.splice(0).map((part) => part.stop()))
      await transport.stop()
    },
  }
  return run
}
