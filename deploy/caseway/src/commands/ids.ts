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
    .description('after a database was restored to an earlier state: skip the ids that it may have assigned since that state')
    .addOption(new Option('--service <name>', 'the service whose database was restored').choices(serviceNames).makeOptionMandatory())
    .option('--by <count>', 'number of ids to skip in each table, larger than the number assigned since', atLeastOne, 100_000)

  answering<Options>(advance, io, async ({ service, by }) => {
    const tables = await using(openService(io.env, service), ({ db }) => advanceIds(db, by))
    return { json: { service, tables, by }, text: `${counted(tables, 'table')} of ${service} skipped ${counted(by, 'id')} each.` }
  })
}
