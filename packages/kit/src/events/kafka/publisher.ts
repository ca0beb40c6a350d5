import { type Kafka, Partitioners, type Producer } from 'kafkajs'
import type { EventRecord } from '../transport.js'
import { messageOf } from './message.js'

/**
 * Publishes records, in order for each partition. Connects at the first publication.
 * @param metadataMaxAge in milliseconds
 */
export function publisherOf(kafka: Kafka, metadataMaxAge: number) {
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    maxInFlightRequests: 1,
    metadataMaxAge,
  })
  let connected: Promise<Producer> | undefined

  const connect = () => {
    connected ??= producer.connect().then(
      () => producer,
      (error: unknown) => {
        connected = undefined
        throw error
      },
    )
    return connected
  }

  return {
    /** Resolves when every in-sync replica has all records (`acks: -1`). */
    async publish(records: readonly EventRecord[]): Promise<[]> {
      const byTopic = Map.groupBy(records, ({ topic }) => topic)
      const topicMessages = [...byTopic].map(([topic, own]) => ({ topic, messages: own.map(messageOf) }))
      await (await connect()).sendBatch({ acks: -1, topicMessages })
      return []
    },
    stop: () => producer.disconnect(),
  }
}
