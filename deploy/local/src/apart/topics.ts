import { topicNames } from '@caseway/command/topics'
import { createTopics, kafkaConnection } from '@caseway/kit/events'
import type { Logger } from '@caseway/kit/observability'

/** Makes what the services tell and hear, where it is missing. */
export const declareTopics = (brokers: readonly string[], log: Logger) =>
  createTopics(kafkaConnection({ brokers, clientId: 'topics', log }), topicNames)
