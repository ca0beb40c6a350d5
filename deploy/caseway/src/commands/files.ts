import { date } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField } from '../options.js'
import { openFiles, using } from '../services.js'
import { counted } from '../table.js'

interface Options {
  /** YYYY-MM-DD. */
  since: string
}

export function fileCommands(program: Command, io: Io): void {
  const rescan = program
    .command('files')
    .description('files that were uploaded')
    .command('rescan')
    .description('scan files again, for viruses that are known by now')
    .requiredOption('--since <date>', 'those that were uploaded on this day (YYYY-MM-DD, in UTC) or later', asField(date))

  answering<Options>(rescan, io, async ({ since }) => {
    const files = await using(openFiles(io.env), ({ administration }) => administration.rescan(new Date(since)))
    const follow = 'npm run caseway -- jobs status --service files'
    return { json: { files }, text: `${counted(files, 'file')} will be scanned again. How many are left: ${follow}` }
  })
}
