import { randomUUID } from 'node:crypto'
import type { Kafka, TopicPartitionOffset } from 'kafkajs'
import pTimeout from 'p-timeout'
import type { Metrics } from '../../observability/index.js'
import type { EventRecord, EventTransport, Subscription } from '../transport.js'
import { connectionOf, type KafkaOptions } from './connection.js'
import { createDeliveries } from './deliveries.js'
import { type Persistent, persist } from './persistence.js'
import { publisherOf } from './publisher.js'
import { subscribe } from './subscriber.js'
import { asAdmin } from './topics.js'
import { watchdog } from './watchdog.js'

export interface KafkaTransportOptions extends KafkaOptions {
  metrics: Metrics
}

/** How long `subscribe` waits until the subscription has joined its group. Then the service starts without it, and joins as soon as the broker allows. */
const joinTimeoutMs = 3_000

const lookEveryMs = 10_000

/**
 * A transport over Apache Kafka (kafkajs). Topics must exist (see `createTopics`). `publish` resolves when every in-sync replica has the records. Offsets are
 * committed after records were handled, so that the other members of a group handle those that a crashed member had not handled.
 */
export function createKafkaTransport(options: KafkaTransportOptions): EventTransport {
  const { log, metadataMaxAgeMs = 30_000 } = options
  const kafka = connectionOf(options)
  const publisher = publisherOf(kafka, metadataMaxAgeMs)
  const shared = { kafka, metadataMaxAgeMs, log, metrics: options.metrics }
  const running = new Set<Persistent>()
  const watching = watchdog({
    silent: () => [...running].some((part) => part.silent()),
    answers: () => asAdmin(kafka, (admin) => admin.describeCluster()).then(Boolean, () => false),
    lookEveryMs,
  })

  const share = ({ group: groupId, topics, handle, batches, onGap }: Subscription) => {
    const deliveries = createDeliveries({ handle, batches, log })
    return persist((stopping) => subscribe({ ...shared, kind: 'shared', groupId, topics, deliveries, onGap }, stopping), log)
  }

  const listen = ({ group, topics, handle }: Subscription): Persistent => {
    const groupId = `${group}-${randomUUID()}`
    const noted = async (record: EventRecord, abandoned?: AbortSignal) => {
      await handle(record, abandoned).catch((err: unknown) => log.warn({ err, event: record.id }, 'a broadcast event was not handled'))
    }
    const deliveries = createDeliveries({ handle: noted, log })
    let ends: TopicPartitionOffset[] | undefined
    const part = persist(async (stopping) => {
      const from = ends ? await unvisited(kafka, groupId, ends) : await endsOf(kafka, topics)
      ends ??= from
      return subscribe({ ...shared, kind: 'broadcast', groupId, topics, deliveries, from }, stopping)
    }, log)
    return {
      ...part,
      async stop() {
        await part.stop()
        // The group is used only once. A broker that is unavailable now deletes it after its offset retention.
        await asAdmin(kafka, (admin) => admin.deleteGroups([groupId])).catch((err: unknown) =>
          log.debug({ err }, 'a consumer group could not be deleted'),
        )
      },
    }
  }

  return {
    system: 'kafka',

    publish: publisher.publish,

    async subscribe(subscription) {
      const part = subscription.broadcast ? listen(subscription) : share(subscription)
      running.add(part)
      await pTimeout(part.joined, { milliseconds: joinTimeoutMs, message: false })
      return {
        async stop() {
          if (running.delete(part)) await part.stop()
        },
      }
    },

    healthy: watching.healthy,

    receiving: () => [...running].every((part) => part.receiving()),

    async stop() {
      watching.stop()
      const parts = [...running]
      running.clear()
      await Promise.all([...parts.map((part) => part.stop()), publisher.stop()])
    },
  }
}

/** The ends of all partitions: a broadcast begins here, at the time of `subscribe`, and not where the topics end when the group has been formed. */
const endsOf = (kafka: Kafka, topics: readonly string[]) =>
  asAdmin(kafka, async (admin) => {
    const ends = await Promise.all(
      topics.map(async (topic) =>
        (await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => ({ topic, partition, offset: high })),
      ),
    )
    return ends.flat()
  })

/** The offsets of partitions for which the group has committed none: in the others it continues from its committed offset. */
const unvisited = (kafka: Kafka, groupId: string, offsets: readonly TopicPartitionOffset[]) =>
  asAdmin(kafka, async (admin) => {
    const committed = await admin.fetchOffsets({ groupId, topics: [...new Set(offsets.map(({ topic }) => topic))] })
    const visited = new Set(
      committed.flatMap(({ topic, partitions }) =>
        partitions.filter(({ offset }) => offset !== '-1').map(({ partition }) => `${topic} ${partition}`),
      ),
    )
    return offsets.filter(({ topic, partition }) => !visited.has(`${topic} ${partition}`))
  })
