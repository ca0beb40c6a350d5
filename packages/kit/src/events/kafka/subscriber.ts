import type { Batch, Consumer, Kafka, TopicPartitionOffset } from 'kafkajs'
import type { Logger, Metrics } from '../../observability/index.js'
import type { Running, Subscription } from '../transport.js'
import { unlessAborted } from '../waiting.js'
import type { createDeliveries } from './deliveries.js'
import { watchForGaps } from './gaps.js'
import { handleBatch } from './handle-batch.js'
import { createOffsets } from './offsets.js'

export interface SubscriberOptions {
  kafka: Kafka
  groupId: string
  topics: readonly string[]
  deliveries: ReturnType<typeof createDeliveries>
  onGap?: Subscription['onGap']
  /** The offsets at which the consumer begins. Default: the committed ones, or the oldest record for a new group. */
  from?: readonly TopicPartitionOffset[]
  /** The kind of the subscription in metrics: copies share the events, or each receives all of them. */
  kind: 'shared' | 'broadcast'
  metadataMaxAgeMs: number
  log: Logger
  metrics: Metrics
}

const sessionMs = 10_000
const heartbeatMs = 1_000
/**
 * How long the broker waits before it answers a fetch without events (`fetch.max.wait.ms`); an event is sent at once. kafkajs sends heartbeats between two
 * fetches, so that the members of a group notice a rebalance within this time, and a stop takes as long.
 */
const fetchWaitMs = 2_000
/**
 * The most bytes that each broker sends at a time (`fetch.max.bytes`); a larger event is sent alone. kafkajs decodes all events of an answer before the
 * first one is handled, to objects that take about ten times their bytes: with its default of 10 MiB a service that catches up would need more memory
 * than its container has.
 */
const fetchBytes = 1_048_576
const receivingMs = 5_000

export interface Subscribed extends Running {
  /** Whether no fetch, heartbeat or join was answered for three session timeouts (30 seconds). */
  silent(): boolean
  /** Whether the broker has answered in the last 5 seconds: it answers an idle fetch every 2 seconds. */
  receiving(): boolean
  /** Resolves to the error with which the consumer has crashed, if kafkajs does not restart it. */
  readonly ended: Promise<Error>
}

/**
 * Joins a consumer group, and resolves with the first assignment.
 * @throws Error when the consumer crashes before, or the reason of `stopping` when that is aborted before; it has then left the group
 */
export async function subscribe(options: SubscriberOptions, stopping: AbortSignal): Promise<Subscribed> {
  const { kafka, groupId, topics, deliveries, onGap, from = [], metadataMaxAgeMs, log } = options
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: sessionMs,
    heartbeatInterval: heartbeatMs,
    maxWaitTimeInMs: fetchWaitMs,
    maxBytes: fetchBytes,
    metadataMaxAge: metadataMaxAgeMs,
    allowAutoTopicCreation: false,
  })
  const { silent, receiving, lagOf, forget } = watch(consumer, options)
  const joined = new Promise<void>((resolve) => consumer.on('consumer.group_join', () => resolve()))
  const { promise: ended, resolve: end } = Promise.withResolvers<Error>()
  consumer.on('consumer.crash', ({ payload: { error, restart } }) => {
    if (!restart) end(error)
  })
  const offsets = createOffsets({ consumer, log })
  const gaps = onGap && watchForGaps({ kafka, groupId, topics, onGap, log, stopping })
  consumer.on('consumer.group_join', () => {
    deliveries.abandonAll()
    offsets.forget()
    gaps?.assign()
  })
  const stop = async () => {
    deliveries.abandonAll()
    await offsets.stop()
    await consumer.disconnect()
    forget()
  }
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [...topics], fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: 8,
      eachBatch: (payload) => handleBatch(payload, { offsets, deliveries, gaps, showLag: lagOf(payload.batch), log, stopping }),
    })
    const givenUp = await unlessAborted(stopping, Promise.race([joined, ended]))
    if (givenUp) throw givenUp
  } catch (error) {
    await stop()
    throw error
  }
  for (const offset of from) consumer.seek(offset)
  return { silent, receiving, ended, stop }
}

type Partition = Pick<Batch, 'topic' | 'partition'>

function watch(consumer: Consumer, { kind, metrics }: Pick<SubscriberOptions, 'kind' | 'metrics'>) {
  let lastPollAt = Date.now()
  let shown = new Map<string, Partition>()
  const onSignal = () => {
    lastPollAt = Date.now()
    metrics.consumerLastPoll.set({ kind }, lastPollAt / 1000)
  }
  consumer.on('consumer.heartbeat', onSignal)
  consumer.on('consumer.fetch', onSignal)
  consumer.on('consumer.group_join', onSignal)
  // Without this, the lag of a partition that is now assigned to another copy would be exported here unchanged for ever.
  const forget = () => {
    for (const labels of shown.values()) metrics.consumerLag.remove(labels)
    shown = new Map()
  }
  consumer.on('consumer.group_join', forget)
  /** Shows the lag of a partition, until partitions are assigned again. kafkajs reports it only after a batch, and without the events of that batch. */
  const lagOf = ({ topic, partition }: Partition) => {
    const assigned = shown
    return (events: number) => {
      if (assigned !== shown) return
      const labels = { topic, partition }
      shown.set(`${topic} ${partition}`, labels)
      metrics.consumerLag.set(labels, events)
    }
  }
  const silentMs = () => Date.now() - lastPollAt
  return { silent: () => silentMs() > 3 * sessionMs, receiving: () => silentMs() < receivingMs, lagOf, forget }
}
