import { type Kafka, Partitioners, type Producer } from 'kafkajs'
import type { EventRecord } from '../transport.js'
import { messageOf } from './message.js'

/** Sends records, in their order for each partition. Connects when there is something to send. */
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
    /** Resolves when every replica in sync has all of them. */
    async publish(records: readonly EventRecord[]): Promise<[]> {
      const byTopic = Map.groupBy(records, ({ topic }) => topic)
      const topicMessages = [...byTopic].map(([topic, own]) => ({ topic, messages: own.map(messageOf) }))
      await (await connect()).sendBatch({ acks: -1, topicMessages })
      return []
    },
    stop: () => producer.disconnect(),
  }
}
