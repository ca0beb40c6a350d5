import type { Topic } from '@caseway/protos/topic'
import type { Database } from '../database/index.js'
import type { Logger, Metrics } from '../observability/index.js'
import { createDelivery } from './delivery.js'
import type { EventRecord, EventTransport, Running } from './transport.js'

/** What a handler learns of an event beside its message. */
export interface EventMeta {
  /** The same at every delivery. */
  readonly id: string
  readonly time: Date
  readonly key: string
}

/** A topic and what is done with its events, as `x.consumer.ts` exports it. */
export interface Consumer {
  /** Names the consumer among the dead letters. */
  readonly name: string
  readonly topic: string
  readonly handle: (record: EventRecord) => Promise<void>
}

/**
 * A subscription to a topic. `handle` may be called several times for one event, and for old ones after newer ones when a
 * dead letter is replayed. It is short: long work is a job in the database.
 * @param name needed when one service subscribes to a topic in two modules
 */
export const consumer = <T>(
  topic: Topic<T>,
  handle: (event: T, meta: EventMeta) => Promise<void>,
  name: string = topic.name,
): Consumer => ({
  name,
  topic: topic.name,
  handle: async ({ id, time, key, payload }) => handle(topic.message.decode(payload), { id, time, key }),
})

export interface ConsumerOptions {
  transport: EventTransport
  /** The service's name: its copies share the events. */
  group: string
  consumers: readonly Consumer[]
  /** Where dead letters go. A broadcast subscription needs none: what it cannot handle is logged. */
  db?: Database<unknown>
  /** Called when the transport has deleted events before the group took them (`consumer_last_gap_timestamp_seconds`): fill its copies anew. */
  onGap?: () => Promise<void>
  /** Every copy receives every event, from now on. */
  broadcast?: boolean
  log: Logger
  metrics: Metrics
  /** Pauses between the tries of an event that fails for good, in milliseconds: one less than there are tries. */
  backOffMs?: readonly number[]
  /** Pauses between the tries of what may succeed later, in milliseconds: doubled each time, without end. Default 100 to 30,000. */
  retryMs?: { first: number; most: number }
  /** The deadline of a handler, in milliseconds. One that fails after it is tried again; one that does not end is waited for. */
  tryTimeoutMs?: number
}

/**
 * Subscribes consumers. What may succeed later (see `isTemporary`) is tried again with growing pauses and without end; meanwhile the event is
 * blocked (`consumer_blocked_events`), and with it what the transport keeps in order behind it. Everything else has five tries, then it is a
 * dead letter and the next event follows. `stop` ends the pauses at once; an event whose tries it cuts short comes again.
 * @throws Error when two consumers have one name, or nothing is there to keep dead letters
 */
export async function startConsumers(options: ConsumerOptions): Promise<Running> {
  const { transport, group, consumers, broadcast = false, metrics } = options
  const names = new Set(consumers.map(({ name }) => name))
  if (names.size < consumers.length) throw new Error('Two consumers have one name.')
  if (!options.db && !broadcast) throw new Error('Consumers that share events need a database for their dead letters.')

  const stopping = new AbortController()
  const deliver = createDelivery(options, stopping.signal)
  const handle = async (record: EventRecord, abandoned?: AbortSignal) => {
    for (const consumer of consumers.filter(({ topic }) => topic === record.topic)) await deliver(consumer, record, abandoned)
  }
  const topics = [...new Set(consumers.map(({ topic }) => topic))]
  const onGap = async (lost: readonly string[]) => {
    for (const topic of lost) metrics.lastGap.set({ topic }, Date.now() / 1000)
    await options.onGap?.()
  }
  const subscription = await transport.subscribe({ group, topics, handle, broadcast, ...(!broadcast && { onGap }) })
  return {
    async stop() {
      stopping.abort(new Error('The consumers were stopped.'))
      await subscription.stop()
    },
  }
}
