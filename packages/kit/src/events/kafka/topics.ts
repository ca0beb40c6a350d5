import type { Admin, Kafka } from 'kafkajs'

export interface TopicSettings {
  /** Default 6. More may be added later; the history of a key then goes on in another partition. */
  partitions?: number
  /** Copies of each partition. Default: what the brokers say. */
  replicationFactor?: number
}

/** For how long a topic keeps an event, in milliseconds, unless an operator has changed it. */
export const topicRetentionMs = 7 * 86_400_000

/**
 * Makes the topics that are missing. Those that are there stay as they are.
 * @returns the names of those that it made
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

export async function asAdmin<T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin()
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.disconnect()
  }
}
