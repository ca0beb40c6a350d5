import type { Topic } from '@caseway/protos/topic'
import type { Consumer, ConsumerOptions } from './consumer-options.js'
import { createDelivery } from './delivery.js'
import type { EventRecord, Running } from './transport.js'

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
  handle: async ({ id, time, key, payload }) => handle(topic.message.decode(payload), { id, time, key }),
})

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
