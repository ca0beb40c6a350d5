import type { Admin, Kafka } from 'kafkajs'
import { asAdmin } from './topics.js'

export interface TopicLag {
  readonly topic: string
  /** Events that the group has still to take; undefined where the topic is not declared. */
  readonly lag: number | undefined
}

/** How far a group is behind on each of `topics`. A group that was never there has everything before it. */
export const readLag = (kafka: Kafka, groupId: string, topics: readonly string[]): Promise<TopicLag[]> =>
  asAdmin(kafka, async (admin) => {
    const present = new Set(await admin.listTopics())
    const declared = topics.filter((topic) => present.has(topic))
    const committed = declared.length > 0 ? await admin.fetchOffsets({ groupId, topics: declared }) : []
    const lags = await Promise.all(
      committed.map(async ({ topic, partitions }) => {
        const offsets = new Map(partitions.map(({ partition, offset }) => [partition, BigInt(offset)]))
        return [topic, await lagOf(admin, topic, offsets)] as const
      }),
    )
    const known = new Map(lags)
    return topics.map((topic) => ({ topic, lag: known.get(topic) }))
  })

/** A committed offset before the oldest record, or none (-1), begins at the oldest: what is gone cannot be handled any more. */
async function lagOf(admin: Admin, topic: string, committed: ReadonlyMap<number, bigint>): Promise<number> {
  const ends = await admin.fetchTopicOffsets(topic)
  const behind = ends.map(({ partition, low, high }) => {
    const [oldest, next] = [BigInt(low), committed.get(partition) ?? -1n]
    return BigInt(high) - (next > oldest ? next : oldest)
  })
  return Number(behind.reduce((sum, lag) => sum + lag, 0n))
}
