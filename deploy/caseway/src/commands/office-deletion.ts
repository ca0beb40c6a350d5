import type { Id } from '@caseway/kit/caller'
import { idText, integer } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField } from '../options.js'
import { noOffice, orProblem, Problem } from '../problem.js'
import { openAuth, rowsOfOffice, using } from '../services.js'
import { counted, table } from '../table.js'

const dayMs = 86_400_000
const defaultDays = 30

interface Options {
  office: Id
}

interface Deletion extends Options {
  afterDays: number
}

export function addOfficeDeletion(group: Command, io: Io): void {
  const ofOffice = ['--office <id>', 'the office', asField(idText)] as const
  const remove = group
    .command('delete')
    .description('close an office, and delete it with all of its data after some days')
    .requiredOption(...ofOffice)
    .option('--after-days <days>', 'days until it is deleted, from 1 to 365', asField(integer({ min: 1, max: 365 })), defaultDays)
  const reopen = group
    .command('reopen')
    .description('reopen a closed office that is not deleted yet')
    .requiredOption(...ofOffice)
  const data = group
    .command('data')
    .description('show the state of an office, and how many of its rows each service has')
    .requiredOption(...ofOffice)

  answering<Deletion>(remove, io, async ({ office, afterDays }) => {
    const deletesAt = new Date(Date.now() + afterDays * dayMs)
    const isUnfinished = await using(openAuth(io.env), async ({ administration }) => {
      await orProblem(administration.closeOffice(office, deletesAt), noOffice(office))
      return administration.officeImports.isUnfinished(office)
    })
    const until = isUnfinished
      ? '`office import` of the same folder resumes its import.'
      : `it can be opened again with\n\n  npm run caseway -- office reopen --office ${office}`
    return {
      json: { customer_id: String(office), deletes_at: deletesAt },
      text: `Office ${office} is closed. Its employees, and clients who have no other open office, are signed out. It will be deleted on ${deletesAt.toISOString()}, and until then ${until}`,
    }
  })

  answering<Options>(reopen, io, async ({ office }) => {
    await using(openAuth(io.env), ({ administration }) => orProblem(administration.reopenOffice(office), noOffice(office)))
    return { json: { customer_id: String(office) }, text: `Office ${office} is open.` }
  })

  answering<Options>(data, io, async ({ office }) => {
    const state = await using(openAuth(io.env), ({ administration }) => administration.stateOfOffice(office))
    if (!state) throw new Problem(noOffice(office))
    const { name, deletesAt, deleted } = state
    const kept = await rowsOfOffice(io.env, office)
    const now = deleted ? 'deleted' : deletesAt ? `closed, deleted on ${deletesAt.toISOString()}` : 'open'
    const rows = kept.map(({ service, table, rows }) => [service, table, String(rows)])
    const all = kept.reduce((sum, { rows }) => sum + rows, 0)
    return {
      json: {
        customer_id: String(office),
        name,
        state: deleted ? 'deleted' : deletesAt ? 'closed' : 'open',
        deletes_at: deletesAt,
        tables: kept,
      },
      text: `Office ${office}${name && ` (${name})`} is ${now}. The services keep ${counted(all, 'row')} of it.${all ? `\n\n${table(['SERVICE', 'TABLE', 'ROWS'], rows)}` : ''}`,
    }
  })
}
