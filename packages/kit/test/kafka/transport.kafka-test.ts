import { createTopics, kafkaConnection } from '@caseway/kit/events'
import { log } from '../support/notes.js'
import { transportContract } from '../transport-contract.js'
import { broker, transportTo } from './support.js'

transportContract('Kafka', async (topic) => {
  await createTopics(kafkaConnection({ ...broker, clientId: 'contract', log }), [topic])
  return transportTo(broker)
})
