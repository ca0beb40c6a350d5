import type { Consumer, EachBatchPayload, Kafka, TopicPartitionOffset } from 'kafkajs'
import type { Logger, Metrics } from '../../observability/index.js'
import type { EventRecord, Running } from '../transport.js'
import { pauseUnless, unlessAborted } from '../waiting.js'
import { recordOf } from './message.js'

export interface SubscriberOptions {
  kafka: Kafka
  groupId: string
  topics: readonly string[]
  handle(record: EventRecord): Promise<void>
  /** Where a new group begins. Where nothing is said, at the beginning. */
  from?: readonly TopicPartitionOffset[]
  /** Names it in the metrics: its copies share the events, or each hears all of them. */
  kind: 'shared' | 'broadcast'
  metadataMaxAgeMs: number
  log: Logger
  metrics: Metrics
  /** The consumer has ended and will not start again by itself. */
  onCrash(error: Error): void
}

const sessionMs = 10_000
const heartbeatMs = 1_000
const pauseMs = 500
/** So often what was taken is remembered: a copy that dies has this much done twice. */
const commitEveryMs = 1_000

export interface Subscribed extends Running {
  /** Whether the broker said nothing for three sessions. */
  silent(): boolean
}

/** Takes part in a group. Resolves when it has its first assignment; rejects, and is gone, when `stopping` is aborted before. */
export async function subscribe(options: SubscriberOptions, stopping: AbortSignal): Promise<Subscribed> {
  const { kafka, groupId, topics, handle, from = [], metadataMaxAgeMs, log, onCrash } = options
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: sessionMs,
    heartbeatInterval: heartbeatMs,
    maxWaitTimeInMs: 500,
    metadataMaxAge: metadataMaxAgeMs,
    allowAutoTopicCreation: false,
  })
  const { silent } = watch(consumer, options)
  const joined = new Promise<void>((resolve) => consumer.on('consumer.group_join', () => resolve()))
  consumer.on('consumer.crash', ({ payload: { error, restart } }) => {
    if (!restart && !stopping.aborted) onCrash(error)
  })
  const eachBatch = (payload: EachBatchPayload) => takeBatch(payload, { consumer, handle, log, stopping })
  try {
    await consumer.connect()
    await consumer.subscribe({ topics: [...topics], fromBeginning: true })
    await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, partitionsConsumedConcurrently: 8, eachBatch })
    await unlessAborted(stopping, joined)
  } catch (error) {
    await consumer.disconnect()
    throw error
  }
  for (const place of from) consumer.seek(place)
  return { silent, stop: () => consumer.disconnect() }
}

function watch(consumer: Consumer, { kind, metrics }: Pick<SubscriberOptions, 'kind' | 'metrics'>) {
  let heardAt = Date.now()
  const shown = new Map<string, { topic: string; partition: number }>()
  const hear = () => {
    heardAt = Date.now()
    metrics.consumerLastPoll.set({ kind }, heardAt / 1000)
  }
  consumer.on('consumer.heartbeat', hear)
  consumer.on('consumer.fetch', hear)
  consumer.on('consumer.group_join', hear)
  // A partition that another copy has now would be shown here as it was for ever.
  consumer.on('consumer.group_join', () => {
    for (const place of shown.values()) metrics.consumerLag.remove(place)
    shown.clear()
  })
  consumer.on('consumer.end_batch_process', ({ payload: { topic, partition, offsetLag } }) => {
    const place = { topic, partition }
    shown.set(`${topic} ${partition}`, place)
    metrics.consumerLag.set(place, Number(offsetLag))
  })
  return { silent: () => Date.now() - heardAt > 3 * sessionMs }
}

interface Taking {
  consumer: Consumer
  handle(record: EventRecord): Promise<void>
  log: Logger
  stopping: AbortSignal
}

/** One message after another; the offsets follow the effects, so that a crash repeats and loses nothing. */
async function takeBatch({ batch, heartbeat, isRunning, isStale, resolveOffset }: EachBatchPayload, taking: Taking): Promise<void> {
  const { topic, partition, messages } = batch
  let next: string | undefined
  let committedAt = Date.now()
  /** False when the group has gone on without this copy, which kafkajs then joins again; what was taken comes once more. */
  const commit = async (): Promise<boolean> => {
    if (next === undefined) return true
    const offsets = [{ topic, partition, offset: next }]
    next = undefined
    committedAt = Date.now()
    return taking.consumer.commitOffsets(offsets).then(
      () => true,
      (err: unknown) => {
        taking.log.warn({ err, topic, partition }, 'what was taken could not be noted')
        return false
      },
    )
  }
  const mayGoOn = () => isRunning() && !isStale() && !taking.stopping.aborted
  try {
    for (const message of messages) {
      const taken = await takeUntilDone(recordOf(topic, message), taking, heartbeat, mayGoOn)
      if (!taken) return
      resolveOffset(message.offset)
      next = String(BigInt(message.offset) + 1n)
      if (Date.now() - committedAt >= commitEveryMs && !(await commit())) return
      await heartbeat()
    }
  } finally {
    await commit()
  }
}

/**
 * Again and again, for what comes after it must wait. Meanwhile the group hears that this copy is alive; when the group has gone on
 * without it, the batch is over.
 */
async function takeUntilDone(
  record: EventRecord,
  { handle, log, stopping }: Taking,
  heartbeat: () => Promise<void>,
  mayGoOn: () => boolean,
) {
  const left = new AbortController()
  const over = AbortSignal.any([stopping, left.signal])
  const beat = setInterval(() => heartbeat().catch((error: unknown) => left.abort(error)), heartbeatMs)
  try {
    while (mayGoOn()) {
      try {
        await unlessAborted(over, handle(record))
        return true
      } catch (err) {
        if (left.signal.aborted) throw left.signal.reason
        if (!stopping.aborted) log.warn({ err, event: record.id }, 'an event was not taken')
        await pauseUnless(over, pauseMs)
      }
    }
    return false
  } finally {
    clearInterval(beat)
  }
}
