import { createDirectTransport } from './direct-transport.js'
import { createKafkaTransport, type KafkaTransportOptions } from './kafka/kafka-transport.js'
import type { EventTransport } from './transport.js'

/** The Kafka transport, or the direct one when no brokers are configured: then events reach only consumers in the same process. */
export const createTransport = (options: KafkaTransportOptions): EventTransport =>
  options.brokers.length > 0 ? createKafkaTransport(options) : createDirectTransport()
