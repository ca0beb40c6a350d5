import type { Command } from 'commander'
import { answering } from '../answering.js'
import { resyncCopies } from '../copies.js'
import type { Io } from '../io.js'
import { completeImport, importOffice, withoutOthers } from '../office-import/office-import.js'
import { folder } from '../options.js'
import { counted } from '../table.js'

interface Options {
  from: string
}

export function addOfficeImport(group: Command, io: Io): void {
  const command = group
    .command('import')
    .description('create an office with new ids from an export of another installation; an interrupted import is resumed')
    .requiredOption('--from <folder>', 'the folder of the export', folder)

  answering<Options>(command, io, async ({ from }) => {
    const { source, customerId, files, counters } = await withoutOthers(io.env, async () => {
      const imported = await importOffice(io.env, from, io.err)
      await resyncCopies(io.env)
      return { ...imported, ...(await completeImport(io.env, imported.source, imported.customerId)) }
    })
    const notes = [
      `Office ${customerId} (${source.name}) is imported and open. Its people get a mail to choose a password.`,
      files > 0 && `${counted(files, 'file')} can be downloaded after the virus scan.`,
      counters > 0 && `${counted(counters, 'counter')} corrected.`,
      source.wasOpen && 'The office was open when it was exported: changes that were made during the export may be missing.',
    ]
    return {
      json: { customer_id: String(customerId), files, counters },
      text: notes.filter(Boolean).join('\n'),
    }
  })
}
