import type { Admin, Kafka } from 'kafkajs'

export interface TopicSettings {
  /** Partitions of each topic. Default 6. After adding partitions, new events of a key may go to another partition than its earlier ones. */
  partitions?: number
  /** Replicas of each partition. Default: the default of the brokers. */
  replicationFactor?: number
}

/** The retention of new topics in milliseconds (`retention.ms`); an operator may change it. */
export const topicRetentionMs = 7 * 86_400_000

/**
 * Creates the topics that do not exist. Existing topics are left unchanged.
 * @returns the names of the created topics
 */
export function createTopics(
  kafka: Kafka,
  names: readonly string[],
  { partitions = 6, replicationFactor = -1 }: TopicSettings = {},
): Promise<string[]> {
  return asAdmin(kafka, async (admin) => {
    const present = new Set(await admin.listTopics())
    const missing = names.filter((name) => !present.has(name))
    const configEntries = [{ name: 'retention.ms', value: String(topicRetentionMs) }]
    const topics = missing.map((topic) => ({ topic, numPartitions: partitions, replicationFactor, configEntries }))
    if (topics.length > 0) await admin.createTopics({ topics, waitForLeaders: true })
    return missing
  })
}

/** Runs `work` with a connected admin client, and disconnects it however `work` ends. */
export async function asAdmin<T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}
