import { topics as authTopics } from '@caseway/auth/events'
import { topics as caseTopics } from '@caseway/cases-and-counters/events'
import { createTopics, kafkaConnection } from '@caseway/kit/events'
import type { Logger } from '@caseway/kit/observability'

/** Heard already, and told by a service that is not built yet. */
const toCome = ['mail.folder-count.v1']

export const topicNames = [...[...authTopics, ...caseTopics].map(({ name }) => name), ...toCome]

/** Makes what the services tell and hear, where it is missing. */
export const declareTopics = (brokers: readonly string[], log: Logger) =>
  createTopics(kafkaConnection({ brokers, clientId: 'topics', log }), topicNames)
