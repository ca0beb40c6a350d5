import { type DeadLetterNote, deleteDeadLetters, listDeadLetters, readEventState, replayDeadLetters } from '@caseway/kit/events'
import { serviceNames } from '@caseway/registry'
import { type Command, Option } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { atLeastOne, chosen, serviceOption, uuid } from '../options.js'
import { Problem } from '../problem.js'
import { inServices, log, openService, using } from '../services.js'
import { counted, table } from '../table.js'

interface Options {
  service?: string
}

export function deadLetterCommands(program: Command, io: Io): void {
  const group = program.command('dead-letters').description('events that a consumer could not handle')
  const list = group
    .command('list')
    .description('list the oldest dead letters')
    .addOption(serviceOption())
    .option('-n, --limit <number>', 'maximum number of entries for each service', atLeastOne, 100)
  const replay = group
    .command('replay')
    .description('deliver each dead letter to its consumer again; those that are handled are deleted, the others stay')
    .addOption(serviceOption())

  const remove = group
    .command('delete')
    .description('delete the dead letters of an event that no consumer of the service can ever handle')
    .addOption(new Option('--service <name>', 'the service that has the dead letters').choices(serviceNames).makeOptionMandatory())
    .requiredOption('--event <id>', 'the id of the event, as shown by dead-letters list', uuid)

  answering<Options & { limit: number }>(list, io, async ({ service, limit }) => {
    const found = await inServices(io.env, chosen(service), async ({ db }, { name }) => {
      const letters = await listDeadLetters(db, limit)
      return { letters: letters.map((letter) => ({ service: name, ...letter })), total: (await readEventState(db)).deadLetters }
    })
    const letters = found.flatMap(({ letters }) => letters)
    const total = found.reduce((sum, { total }) => sum + total, 0)
    return { json: { dead_letters: letters.map(onTheWire), total }, text: listed(letters, total) }
  })

  answering<Options>(replay, io, async ({ service }) => {
    const services = await inServices(io.env, chosen(service), async ({ db, consumers }, { name }) => {
      return { service: name, ...(await replayDeadLetters(db, consumers, log)) }
    })
    const left = services.reduce((sum, { left }) => sum + left, 0)
    return {
      json: { services },
      text: services.map(({ service, handled, left }) => `${service}: ${handled} handled, ${left} left.`).join('\n'),
      problem: left > 0 ? `${counted(left, 'dead letter')} could not be handled: dead-letters list says why.` : undefined,
    }
  })

  answering<{ service: string; event: string }>(remove, io, async ({ service, event }) => {
    const deleted = await using(openService(io.env, service), ({ db }) => deleteDeadLetters(db, event))
    if (deleted === 0) throw new Problem(`${service} has no dead letter of the event ${event}.`)
    return { json: { service, event_id: event, deleted }, text: `${counted(deleted, 'dead letter')} of ${service} deleted.` }
  })
}

type Letter = DeadLetterNote & { service: string }

const onTheWire = ({ eventId, time, since, ...letter }: Letter) => ({
  ...letter,
  event_id: eventId,
  time: time.toISOString(),
  since: since.toISOString(),
})

function listed(letters: readonly Letter[], total: number): string {
  if (total === 0) return 'No dead letters.'
  const rows = letters.map(({ service, consumer, eventId, key, since, error }) => {
    const [reason = ''] = error.split('\n')
    return [service, consumer, eventId, key, since.toISOString(), reason]
  })
  const rest = total > letters.length ? `\n\n${total - letters.length} more.` : ''
  return table(['SERVICE', 'CONSUMER', 'EVENT', 'KEY', 'SINCE', 'ERROR'], rows) + rest
}
