import { createTopics, type KafkaSettings, kafkaConnection } from '@caseway/kit/events'
import type { Logger } from '@caseway/kit/observability'
import { topics } from '@caseway/protos/topics'

/** Creates the missing topics to which services publish or subscribe. */
export const declareTopics = (settings: KafkaSettings, log: Logger) =>
  createTopics(
    kafkaConnection({ ...settings, clientId: 'topics', log }),
    topics.map(({ name }) => name),
  )
