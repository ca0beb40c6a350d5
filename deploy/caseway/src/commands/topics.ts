import { createTopics } from '@caseway/kit/events'
import { topics } from '@caseway/protos/topics'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import { requireKafka } from '../environment.js'
import type { Io } from '../io.js'
import { talkToKafka } from '../kafka.js'
import { atLeastOne } from '../options.js'

interface Options {
  partitions?: number
  replicas?: number
}

const topicNames = topics.map(({ name }) => name)

export function topicCommands(program: Command, io: Io): void {
  const create = program
    .command('topics')
    .description('Kafka topics of events')
    .command('create')
    .description('create the missing topics; existing topics stay unchanged')
    .option('--partitions <number>', 'partitions of a new topic (default: 6)', atLeastOne)
    .option('--replicas <number>', 'replicas of each partition (default: the setting of the brokers)', atLeastOne)

  answering<Options>(create, io, async ({ partitions, replicas }) => {
    const settings = { partitions, replicationFactor: replicas }
    const created = await talkToKafka(requireKafka(io.env), (kafka) => createTopics(kafka, topicNames, settings))
    const text = created.length > 0 ? `Created: ${created.join(', ')}.` : 'Every topic already exists.'
    return { json: { topics: topicNames, created }, text }
  })
}
