import { createDirectTransport } from './direct-transport.js'
import { createKafkaTransport, type KafkaTransportOptions } from './kafka/kafka-transport.js'
import type { EventTransport } from './transport.js'

/** Kafka where there are brokers. Without them events stay in this process: they reach only its own consumers. */
export const createTransport = (options: KafkaTransportOptions): EventTransport =>
  options.brokers.length > 0 ? createKafkaTransport(options) : createDirectTransport()
