import { type KafkaSettings, kafkaConnection } from '@caseway/kit/events'
import { Problem } from './problem.js'
import { log } from './services.js'

type Kafka = ReturnType<typeof kafkaConnection>

export async function talkToKafka<T>(settings: KafkaSettings, work: (kafka: Kafka) => Promise<T>): Promise<T> {
  try {
    return await work(kafkaConnection({ ...settings, clientId: 'caseway', log }))
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new Problem(`Kafka at ${settings.brokers.join(',')} failed: ${reason}.`)
  }
}
