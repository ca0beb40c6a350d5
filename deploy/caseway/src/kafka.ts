import { type KafkaPlace, kafkaConnection } from '@caseway/kit/events'
import { Problem } from './problem.js'
import { log } from './services.js'

type Kafka = ReturnType<typeof kafkaConnection>

export async function talkToKafka<T>(place: KafkaPlace, work: (kafka: Kafka) => Promise<T>): Promise<T> {
  try {
    return await work(kafkaConnection({ ...place, clientId: 'caseway', log }))
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new Problem(`Kafka at ${place.brokers.join(',')} did not do this: ${reason}.`)
  }
}
