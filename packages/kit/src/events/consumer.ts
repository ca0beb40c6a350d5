import type { Topic } from '@caseway/protos/topic'
import type { Consumer, ConsumerOptions } from './consumer-options.js'
import { createDelivery } from './delivery.js'
import type { EventRecord, EventRecords, Running } from './transport.js'

/** What a handler learns of an event beside its message. */
export interface EventMeta {
  /** The same at every delivery. */
  readonly id: string
  readonly time: Date
  readonly key: string
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
  handle: async (record) => handle(topic.message.decode(record.payload), metaOf(record)),
})

/**
 * A subscription to a topic whose events can be handled together, as a copy does it: `handle` gets one or more, in order for each key, and the
 * meta of each at the same place. When it fails with several, each of them is brought to it alone; some of them may be handled already.
 * @param name needed when one service subscribes to a topic in two modules
 */
export function batchConsumer<T>(
  topic: Topic<T>,
  handle: (events: readonly T[], metas: readonly EventMeta[]) => Promise<void>,
  name: string = topic.name,
): Consumer {
  const handleBatch = async (records: EventRecords) =>
    handle(
      records.map(({ payload }) => topic.message.decode(payload)),
      records.map(metaOf),
    )
  return { name, topic: topic.name, handle: (record) => handleBatch([record]), handleBatch }
}

const metaOf = ({ id, time, key }: EventRecord): EventMeta => ({ id, time, key })

/**
 * Subscribes consumers. What may succeed later (see `isTemporary`) is tried again with growing pauses and without end; meanwhile the event is
 * blocked (`consumer_blocked_events`), and with it what the transport keeps in order behind it. Everything else has five tries, then it is a
 * dead letter and the next event follows. A batch has one try, then each of its events has these. `stop` ends the pauses at once; an event
 * whose tries it cuts short comes again.
 * @throws Error when two consumers have one name, or nothing is there to keep dead letters
 */
export async function startConsumers(options: ConsumerOptions): Promise<Running> {
  const { transport, group, consumers, broadcast = false, metrics } = options
  const names = new Set(consumers.map(({ name }) => name))
  if (names.size < consumers.length) throw new Error('Two consumers have one name.')
  if (!options.db && !broadcast) throw new Error('Consumers that share events need a database for their dead letters.')

  const stopping = new AbortController()
  const deliver = createDelivery(options, stopping.signal)
  const of = ({ topic }: EventRecord) => consumers.filter((consumer) => consumer.topic === topic)
  const handle = async (record: EventRecord, abandoned?: AbortSignal) => {
    for (const consumer of of(record)) await deliver.one(consumer, record, abandoned)
  }
  const handleBatch = async (records: EventRecords) => {
    for (const consumer of of(records[0])) if (!(await deliver.batch(consumer, records))) return false
    return true
  }
  const topics = [...new Set(consumers.map(({ topic }) => topic))]
  const single = new Set(consumers.filter(({ handleBatch }) => !handleBatch).map(({ topic }) => topic))
  const batches = { topics: new Set(topics.filter((topic) => !single.has(topic))), handle: handleBatch }
  const onGap = async (lost: readonly string[]) => {
    for (const topic of lost) metrics.lastGap.set({ topic }, Date.now() / 1000)
    await options.onGap?.()
  }
  const subscription = await transport.subscribe({ group, topics, handle, batches, broadcast, ...(!broadcast && { onGap }) })
  return {
    async stop() {
      stopping.abort(new Error('The consumers were stopped.'))
      await subscription.stop()
    },
  }
}
