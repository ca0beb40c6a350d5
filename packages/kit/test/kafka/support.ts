import { randomUUID } from 'node:crypto'
import { defineConfig, kafkaSettings, kafkaVariables } from '@caseway/kit/config'
import { createKafkaTransport, type EventTransport, type KafkaSettings } from '@caseway/kit/events'
import { createMetrics } from '@caseway/kit/observability'
import { log } from '../support/notes.js'

/** The broker of this run. */
export const broker: KafkaSettings = kafkaSettings(defineConfig('', kafkaVariables).read(process.env))

/** The transport of one copy of a service. */
export const transportTo = (settings: KafkaSettings, metrics = createMetrics('kafka-test')): EventTransport =>
  createKafkaTransport({ ...settings, log, metrics, clientId: `copy-${randomUUID()}`, metadataMaxAgeMs: 1_000 })
