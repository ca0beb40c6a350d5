import type { Kafka } from 'kafkajs'
import pRetry from 'p-retry'
import type { Logger } from '../../observability/index.js'
import { asAdmin } from './topics.js'

export interface GapsOptions {
  kafka: Kafka
  groupId: string
  topics: readonly string[]
  /** Resolves when it is noted that events of these topics were lost: only then the group goes on. */
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
 * Notices events that the topic's retention deleted before the group took them: kafkajs then begins at the oldest that is left, and says
 * nothing. Checked when partitions are assigned (committed offset below the oldest record; an empty partition shows it as well) and at each batch
 * (it does not continue the previous one).
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
      // Whoever takes a batch waits for it.
      assigned.catch(() => undefined)
    },

    /** Resolves when nothing is lost before the batch, or that is noted. */
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

/** Partitions whose oldest record comes after the committed offset of the group. A group without one begins at 0: it may have been forgotten. */
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
