import type { Topic } from '@caseway/protos/topic'
import type { Consumer, ConsumerOptions } from './consumer-options.js'
import { createDelivery } from './delivery.js'
import type { EventRecord, EventRecords, Running } from './transport.js'

/** The metadata of an event. */
export interface EventMeta {
  /** The UUID of the event, the same at every delivery. */
  readonly id: string
  /** When the event was written to the outbox. */
  readonly time: Date
  readonly key: string
}

/**
 * Declares a subscription to a topic. `handle` may be called several times for one event, and with an old event after newer ones when a dead letter is
 * replayed. It must be short: long work belongs in a job.
 * @param name the name of the consumer, unique within the service. Default the name of the topic
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
 * Declares a subscription whose events can be handled together. `handle` gets one or more events, in order for each key, and their metadata by the same
 * index. When it fails with several events, it is called for each of them alone, including those that it has handled already.
 * @param name the name of the consumer, unique within the service. Default the name of the topic
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
 * Subscribes consumers. After a temporary error (`isTemporary`) an event is tried again with growing pauses and without limit; meanwhile it is blocked
 * (`consumer_blocked_events`), together with the events that the transport orders after it. After five tries with a permanent error it becomes a dead
 * letter, and the next event follows. A batch has one try, then its events are handled one by one. `stop` ends pauses at once; an event that was
 * neither handled nor kept as a dead letter is delivered again.
 * @throws Error when two consumers have the same name, or `db` is missing without `broadcast`
 */
export async function startConsumers(options: ConsumerOptions): Promise<Running> {
  const { transport, group, consumers, broadcast = false, metrics } = options
  const names = new Set(consumers.map(({ name }) => name))
  if (names.size < consumers.length) throw new Error('Two consumers have the same name.')
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
