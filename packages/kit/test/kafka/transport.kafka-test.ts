import { randomUUID } from 'node:crypto'
import { createKafkaTransport, createTopics, kafkaConnection } from '@caseway/kit/events'
import { createMetrics } from '@caseway/kit/observability'
import { log } from '../support/notes.js'
import { transportContract } from '../transport-contract.js'

const brokers = (process.env.KAFKA_BROKERS ?? '').split(',')

transportContract('Kafka', async (topic) => {
  await createTopics(kafkaConnection({ brokers, clientId: 'contract', log }), [topic])
  return createKafkaTransport({
    brokers,
    clientId: `contract-${randomUUID()}`,
    log,
    metrics: createMetrics('contract'),
    onCrash: (error) => log.fatal(error),
  })
})
