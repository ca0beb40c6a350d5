import { randomUUID } from 'node:crypto'
import type { Kafka } from 'kafkajs'
import type { Metrics } from '../../observability/index.js'
import type { EventRecord, EventTransport, Subscription } from '../transport.js'
import { connectionOf, type KafkaOptions } from './connection.js'
import { publisherOf } from './publisher.js'
import { type Subscribed, subscribe } from './subscriber.js'
import { asAdmin } from './topics.js'

export interface KafkaTransportOptions extends KafkaOptions {
  metrics: Metrics
  /** A subscription has ended for good: the process should be started anew. */
  onCrash(error: Error): void
}

/**
 * Events over Apache Kafka (kafkajs). Topics are declared and made beforehand. A record is published when every replica in sync has it,
 * and counts as taken when its handler has taken it; a copy that dies leaves what it had not taken to the others of its group.
 */
export function createKafkaTransport({ onCrash, ...options }: KafkaTransportOptions): EventTransport {
  const { log, metadataMaxAgeMs = 30_000 } = options
  const kafka = connectionOf(options)
  const publisher = publisherOf(kafka, metadataMaxAgeMs)
  const surroundings = { kafka, metadataMaxAgeMs, log, metrics: options.metrics, onCrash }
  const running = new Set<Subscribed>()

  const listen = async ({ group, topics, handle }: Subscription): Promise<Subscribed> => {
    const groupId = `${group}-${randomUUID()}`
    const from = await endsOf(kafka, topics)
    const noted = async (record: EventRecord) => {
      await handle(record).catch((err: unknown) => log.warn({ err, event: record.id }, 'a broadcast event was not taken'))
    }
    const subscription = await subscribe({ ...surroundings, groupId, topics, handle: noted, from })
    return {
      healthy: subscription.healthy,
      async stop() {
        await subscription.stop()
        // Nobody else will ever use it; a broker that is away forgets it by itself.
        await asAdmin(kafka, (admin) => admin.deleteGroups([groupId])).catch((err: unknown) =>
          log.debug({ err }, 'a group was left behind'),
        )
      },
    }
  }

  return {
    publish: publisher.publish,

    async subscribe(subscription) {
      const { group: groupId, topics, handle, broadcast } = subscription
      const part = broadcast ? await listen(subscription) : await subscribe({ ...surroundings, groupId, topics, handle })
      running.add(part)
      return {
        async stop() {
          if (running.delete(part)) await part.stop()
        },
      }
    },

    healthy: () => [...running].every((part) => part.healthy()),

    async stop() {
      const parts = [...running]
      running.clear()
      await Promise.all([...parts.map((part) => part.stop()), publisher.stop()])
    },
  }
}

/** "From now on" is what the topics hold at this moment, not what they hold when the group has come together. */
const endsOf = (kafka: Kafka, topics: readonly string[]) =>
  asAdmin(kafka, async (admin) => {
    const ends = await Promise.all(
      topics.map(async (topic) =>
        (await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => ({ topic, partition, offset: high })),
      ),
    )
    return ends.flat()
  })
