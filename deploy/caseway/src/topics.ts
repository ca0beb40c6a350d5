import { topics as authTopics } from '@caseway/auth/events'
import { topics as caseTopics } from '@caseway/cases-and-counters/events'

/** Heard already, and told by a service that is not built yet. */
const toCome = ['mail.folder-count.v1']

/** Every topic that a service tells or hears. */
export const topicNames = [...[...authTopics, ...caseTopics].map(({ name }) => name), ...toCome]
