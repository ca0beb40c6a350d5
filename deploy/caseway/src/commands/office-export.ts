import { resolve } from 'node:path'
import type { Id } from '@caseway/kit/caller'
import { idText } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { exportOffice, manifest } from '../office-export/office-export.js'
import { asField, folder } from '../options.js'
import { noOffice, Problem } from '../problem.js'
import { openAuth, using } from '../services.js'
import { counted } from '../table.js'

interface Options {
  office: Id
  to: string
}

export function addOfficeExport(group: Command, io: Io): void {
  const command = group
    .command('export')
    .description('write all data of an office into a folder; an interrupted export is resumed')
    .requiredOption('--office <id>', 'the office', asField(idText))
    .requiredOption('--to <folder>', 'the folder, which is created if it does not exist', folder)

  answering<Options>(command, io, async ({ office, to }) => {
    const found = await using(openAuth(io.env), ({ administration }) => administration.stateOfOffice(office))
    if (!found || found.deleted) throw new Problem(noOffice(office))
    const exported = { customerId: office, name: found.name, state: found.deletesAt ? 'closed' : 'open' } as const
    const { files, bytes, lost, state } = await exportOffice(io.env, exported, to, io.err)
    const open = state === 'open' ? '\nThe office was open: changes that were made during the export may be missing.' : ''
    return {
      json: { customer_id: String(office), folder: resolve(to), files, bytes, lost },
      text: `Office ${office} is in ${resolve(to)}: ${counted(files, 'file')} of ${counted(bytes, 'byte')}, which ${manifest} lists.${open}`,
      problem:
        lost.length > 0 ? `The storage does not have the bytes of ${counted(lost.length, 'record')}: ${lost.join(', ')}.` : undefined,
    }
  })
}
