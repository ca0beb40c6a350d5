import { date } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField, atLeastOne } from '../options.js'
import { type Files, openFiles, using } from '../services.js'
import { counted, table } from '../table.js'

interface Options {
  /** YYYY-MM-DD. */
  since: string
}

export function fileCommands(program: Command, io: Io): void {
  const group = program.command('files').description('uploaded files')

  const rescan = group
    .command('rescan')
    .description('scan files again, with the current virus signatures')
    .requiredOption('--since <date>', 'scan only files that were uploaded on this day (YYYY-MM-DD, in UTC) or later', asField(date))

  answering<Options>(rescan, io, async ({ since }) => {
    const files = await using(openFiles(io.env), ({ administration }) => administration.rescan(new Date(since)))
    const follow = 'npm run caseway -- jobs status --service files'
    return { json: { files }, text: `${counted(files, 'file')} will be scanned again. To see how many are left: ${follow}` }
  })

  const lost = group
    .command('lost')
    .description('list the files whose bytes the storage does not have, the newest first')
    .option('-n, --limit <number>', 'maximum number of entries', atLeastOne, 100)
  answering<{ limit: number }>(lost, io, async ({ limit }) => {
    const found = await using(openFiles(io.env), ({ administration }) => administration.lostFiles(limit))
    return { json: { files: found.map(onTheWire) }, text: listed(found.map(onTheWire)) }
  })
}

type LostFile = Awaited<ReturnType<Files['administration']['lostFiles']>>[number]

const onTheWire = ({ id, customerId, name, blobKey }: LostFile) => ({
  ...{ id: String(id), customer_id: String(customerId), name, blob_key: blobKey },
})

function listed(files: readonly ReturnType<typeof onTheWire>[]): string {
  if (files.length === 0) return 'The storage has the bytes of every file.'
  const rows = files.map(({ id, customer_id, name, blob_key }) => [id, customer_id, blob_key, name])
  return table(['ID', 'OFFICE', 'BLOB', 'NAME'], rows)
}
