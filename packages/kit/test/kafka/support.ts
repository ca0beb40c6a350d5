import { randomUUID } from 'node:crypto'
import { createKafkaTransport, type EventTransport } from '@caseway/kit/events'
import { createMetrics } from '@caseway/kit/observability'
import { log } from '../support/notes.js'

/** The transport of one copy of a service. */
export const transportTo = (brokers: readonly string[], metrics = createMetrics('kafka-test')): EventTransport =>
  createKafkaTransport({
    ...{ brokers, log, metrics, clientId: `copy-${randomUUID()}`, metadataMaxAgeMs: 1_000 },
    onCrash: (error) => {
      throw error
    },
  })
