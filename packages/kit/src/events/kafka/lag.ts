import type { Admin, Kafka } from 'kafkajs'
import { asAdmin } from './topics.js'

export interface TopicLag {
  readonly topic: string
  /** The number of events that the group has not handled; undefined where the topic does not exist. */
  readonly lag: number | undefined
}

/** The lag of a consumer group on each of `topics`, over all partitions. For a group without committed offsets it is the number of all events. */
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

/** The lag counts from the oldest record where the committed offset is lower or missing (-1): deleted records cannot be handled. */
async function lagOf(admin: Admin, topic: string, committed: ReadonlyMap<number, bigint>): Promise<number> {
  const ends = await admin.fetchTopicOffsets(topic)
  const behind = ends.map(({ partition, low, high }) => {
    const [oldest, next] = [BigInt(low), committed.get(partition) ?? -1n]
    return BigInt(high) - (next > oldest ? next : oldest)
  })
  return Number(behind.reduce((sum, lag) => sum + lag, 0n))
}
