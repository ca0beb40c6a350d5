import { advanceIds } from '@caseway/kit/database'
import { serviceNames } from '@caseway/registry'
import { type Command, Option } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { atLeastOne } from '../options.js'
import { openService, using } from '../services.js'
import { counted } from '../table.js'

interface Options {
  service: string
  by: number
}

export function idCommands(program: Command, io: Io): void {
  const advance = program
    .command('ids')
    .description('ids of records')
    .command('advance')
    .description('after a database was restored to an earlier state: give none of the ids that it may have given since')
    .addOption(new Option('--service <name>', 'the service whose database it is').choices(serviceNames).makeOptionMandatory())
    .option('--by <count>', 'ids of each table that are left out: more than were given since', atLeastOne, 100_000)

  answering<Options>(advance, io, async ({ service, by }) => {
    const tables = await using(openService(io.env, service), ({ db }) => advanceIds(db, by))
    return { json: { service, tables, by }, text: `${counted(tables, 'table')} of ${service} left out ${counted(by, 'id')} each.` }
  })
}
