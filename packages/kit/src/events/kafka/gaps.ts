import type { Kafka } from 'kafkajs'
import pRetry from 'p-retry'
import type { Logger } from '../../observability/index.js'
import { asAdmin } from './topics.js'

export interface GapsOptions {
  kafka: Kafka
  groupId: string
  topics: readonly string[]
  /** See `Subscription.onGap`: the group continues when it resolves. */
  onGap(topics: readonly string[]): Promise<void>
  log: Logger
  stopping: AbortSignal
}

interface Partition {
  readonly topic: string
  readonly partition: number
}

interface Batch extends Partition {
  readonly messages: readonly { readonly offset: string }[]
}

const retries = { retries: Number.POSITIVE_INFINITY, minTimeout: 200, maxTimeout: 5_000 }

/**
 * Detects events that retention has deleted before the group received them: kafkajs silently continues at the oldest record that is left. There is a gap when
 * partitions are assigned and a committed offset is lower than that of the oldest record (also in an empty partition), or when the first offset of a
 * batch is higher than the one that follows the last handled record.
 */
export function watchForGaps({ kafka, groupId, topics, onGap, log, stopping }: GapsOptions) {
  const next = new Map<string, bigint>()
  let assigned: Promise<void> = Promise.resolve()

  const report = async (lost: readonly Partition[]) => {
    log.error({ lost, groupId }, 'events were deleted before they were handled')
    await onGap([...new Set(lost.map(({ topic }) => topic))])
  }
  const compare = async () => {
    const lost = await partitionsWithLostRecords(kafka, groupId, topics)
    if (lost.length > 0) await report(lost)
  }

  return {
    assign(): void {
      next.clear()
      assigned = pRetry(compare, { ...retries, signal: stopping })
      // Marks a rejection as handled: `before` awaits this promise, and fails with it.
      assigned.catch(() => undefined)
    },

    /** Resolves when no records are missing before the batch, or `onGap` has resolved for them. */
    async before({ topic, partition, messages }: Batch): Promise<void> {
      await assigned
      const expected = next.get(`${topic} ${partition}`)
      const [first] = messages
      if (expected === undefined || !first || BigInt(first.offset) <= expected) return
      await report([{ topic, partition }])
    },

    handled({ topic, partition }: Batch, offset: string): void {
      next.set(`${topic} ${partition}`, BigInt(offset) + 1n)
    },
  }
}

/** Partitions whose oldest record comes after the committed offset of the group. A missing offset counts as 0: the broker may have expired it. */
const partitionsWithLostRecords = (kafka: Kafka, groupId: string, topics: readonly string[]) =>
  asAdmin(kafka, async (admin) => {
    const committed = await admin.fetchOffsets({ groupId, topics: [...topics] })
    const lost = await Promise.all(
      committed.map(async ({ topic, partitions }) => {
        const offsets = new Map(partitions.map(({ partition, offset }) => [partition, BigInt(offset)]))
        const ends = await admin.fetchTopicOffsets(topic)
        const committedOf = (partition: number) => {
          const offset = offsets.get(partition) ?? 0n
          return offset > 0n ? offset : 0n
        }
        return ends.filter(({ partition, low }) => BigInt(low) > committedOf(partition)).map(({ partition }) => ({ topic, partition }))
      }),
    )
    return lost.flat()
  })
