import { createTopics, kafkaConnection } from '@caseway/kit/events'
import { log } from '../support/notes.js'
import { transportContract } from '../transport-contract.js'
import { transportTo } from './support.js'

const brokers = (process.env.KAFKA_BROKERS ?? '').split(',')

transportContract('Kafka', async (topic) => {
  await createTopics(kafkaConnection({ brokers, clientId: 'contract', log }), [topic])
  return transportTo(brokers)
})
