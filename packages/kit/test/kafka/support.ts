import { randomUUID } from 'node:crypto'
import { defineConfig, kafkaPlace, kafkaVariables } from '@caseway/kit/config'
import { createKafkaTransport, type EventTransport, type KafkaPlace } from '@caseway/kit/events'
import { createMetrics } from '@caseway/kit/observability'
import { log } from '../support/notes.js'

/** The broker of this run. */
export const broker: KafkaPlace = kafkaPlace(defineConfig('', kafkaVariables).read(process.env))

/** The transport of one copy of a service. */
export const transportTo = (place: KafkaPlace, metrics = createMetrics('kafka-test')): EventTransport =>
  createKafkaTransport({ ...place, log, metrics, clientId: `copy-${randomUUID()}`, metadataMaxAgeMs: 1_000 })
