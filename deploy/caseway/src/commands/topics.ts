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
    .description('topics of events on Kafka')
    .command('create')
    .description('declare the topics that are missing; those that are there stay as they are')
    .option('--partitions <number>', 'of a new topic (default: 6)', atLeastOne)
    .option('--replicas <number>', 'copies of each partition (default: what the brokers say)', atLeastOne)

  answering<Options>(create, io, async ({ partitions, replicas }) => {
    const settings = { partitions, replicationFactor: replicas }
    const created = await talkToKafka(requireKafka(io.env), (kafka) => createTopics(kafka, topicNames, settings))
    const text = created.length > 0 ? `Declared: ${created.join(', ')}.` : 'Every topic is there already.'
    return { json: { topics: topicNames, created }, text }
  })
}
