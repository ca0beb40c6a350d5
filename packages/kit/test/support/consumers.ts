import {
  type Consumer,
  type ConsumerOptions,
  createDirectTransport,
  type EventRecords,
  type EventTransport,
  type Subscription,
  startConsumers,
} from '@caseway/kit/events'
import { log, type Notes } from './notes.js'

export const refuse = async () => {
  throw new Error('not me')
}

/** Starts consumers on the database of a test, and reads their dead letters. */
export const consumersOf = (notes: () => Notes) => ({
  async start(consumers: Consumer[], { transport = createDirectTransport(), ...options }: Partial<ConsumerOptions> = {}) {
    const { db, metrics } = notes()
    const quick = { backOffMs: [1, 1, 1, 1], retryMs: { first: 1, max: 2 } }
    const running = await startConsumers({ transport, group: 'tests', consumers, db, log, metrics, ...quick, ...options })
    return { transport, running }
  },
  letters: () => notes().rows('SELECT consumer, topic, key, event_id, error FROM kit.dead_letter ORDER BY id'),
})

/** A transport by which a test delivers batches to the subscription. */
export function batchTransport() {
  let subscribed: Subscription | undefined
  const subscription = (): Subscription => {
    if (!subscribed) throw new Error('Nobody has subscribed.')
    return subscribed
  }
  const transport: EventTransport = {
    ...createDirectTransport(),
    async subscribe(made) {
      subscribed = made
      return { stop: async () => undefined }
    },
  }
  return {
    transport,
    subscription,
    topics: () => [...(subscription().batches?.topics ?? [])],
    /** Delivers records together. Resolves to whether they were handled. */
    bring: async (records: EventRecords) => subscription().batches?.handle(records),
  }
}
