import { type EventState, type KafkaSettings, readEventState, readLag } from '@caseway/kit/events'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import { kafkaOf } from '../environment.js'
import type { Io } from '../io.js'
import { talkToKafka } from '../kafka.js'
import { chosen, serviceOption } from '../options.js'
import { inServices } from '../services.js'
import { table } from '../table.js'

interface Options {
  service?: string
}

interface Status extends EventState {
  service: string
  /** Topics to which the service subscribes. */
  subscribes: readonly string[]
}

interface GroupLag {
  group: string
  topic: string
  /** Null where the topic does not exist. */
  lag: number | null
}

export function eventCommands(program: Command, io: Io): void {
  const status = program
    .command('events')
    .description('events between the services')
    .command('status')
    .description('show the unpublished events and the dead letters of each service and, with Kafka, the lag of each consumer group')
    .addOption(serviceOption())

  answering<Options>(status, io, async ({ service }) => {
    const services = await inServices(io.env, chosen(service), async ({ db, consumers }, { name }): Promise<Status> => {
      const subscribes = [...new Set(consumers.map(({ topic }) => topic))]
      return { service: name, subscribes, ...(await readEventState(db)) }
    })
    // The outboxes are shown even if Kafka does not answer, because that is when they matter most.
    const { lags, problem } = await lagsOf(services, kafkaOf(io.env)).catch((error: Error) => ({ lags: null, problem: error.message }))
    return { json: { services: services.map(onTheWire), lags }, text: described(services, lags), problem }
  })
}

/** The lag of the consumer groups of these services, which have their names; null where events travel without Kafka. */
async function lagsOf(
  services: readonly Status[],
  settings: KafkaSettings | undefined,
): Promise<{ lags: GroupLag[] | null; problem?: string }> {
  if (!settings) return { lags: null }
  const lags: GroupLag[] = []
  for (const { service: group, subscribes } of services.filter(({ subscribes }) => subscribes.length > 0)) {
    const found = await talkToKafka(settings, (kafka) => readLag(kafka, group, subscribes))
    lags.push(...found.map(({ topic, lag = null }) => ({ group, topic, lag })))
  }
  return { lags }
}

const onTheWire = ({ service, unpublished, oldestSeconds, deadLetters }: Status) => ({
  service,
  outbox: { unpublished, oldest_seconds: Math.round(oldestSeconds) },
  dead_letters: deadLetters,
})

function described(services: readonly Status[], lags: readonly GroupLag[] | null): string {
  const states = services.map(onTheWire).map(({ service, outbox, dead_letters }) => {
    return [service, ...[outbox.unpublished, outbox.oldest_seconds, dead_letters].map(String)]
  })
  const first = table(['SERVICE', 'UNPUBLISHED', 'OLDEST (S)', 'DEAD LETTERS'], states)
  if (!lags || lags.length === 0) return first
  const rows = lags.map(({ group, topic, lag }) => [group, topic, lag === null ? 'topic missing' : String(lag)])
  return `${first}\n\n${table(['GROUP', 'TOPIC', 'LAG'], rows)}`
}
