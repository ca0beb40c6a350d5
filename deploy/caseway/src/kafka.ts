import { kafkaConnection } from '@caseway/kit/events'
import { Problem } from './problem.js'
import { log } from './services.js'

type Kafka = ReturnType<typeof kafkaConnection>

export async function talkToKafka<T>(brokers: readonly string[], work: (kafka: Kafka) => Promise<T>): Promise<T> {
  try {
    return await work(kafkaConnection({ brokers, clientId: 'caseway', log }))
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new Problem(`Kafka at ${brokers.join(',')} did not do this: ${reason}.`)
  }
}
