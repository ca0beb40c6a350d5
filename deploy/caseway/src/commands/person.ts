import type { Id } from '@caseway/kit/caller'
import { idText } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField } from '../options.js'
import { erasePersonEverywhere } from '../person-erasure.js'
import { orProblem } from '../problem.js'
import { counted } from '../table.js'

interface Options {
  client: Id
  office?: Id
}

const noClient = (id: Id, office: Id | undefined) =>
  office === undefined ? `There is no client ${id}.` : `Office ${office} knows no client ${id}.`

export function personCommands(program: Command, io: Io): void {
  const erase = program
    .command('person')
    .description('personal data of clients')
    .command('erase')
    .description('irrevocably erase the personal data of a client at one or all offices, in every service')
    .requiredOption('--client <id>', 'the client', asField(idText))
    .option('--office <id>', 'only at this office; by default at every office', asField(idText))

  answering<Options>(erase, io, async ({ client, office }) => {
    const { offices, account, rows } = await orProblem(erasePersonEverywhere(io.env, client, office, io.err), noClient(client, office))
    const where = offices.length === 0 ? 'no office' : `office ${offices.join(', ')}`
    return {
      json: { client_id: String(client), customer_ids: offices.map(String), account_erased: account, rows },
      text: `Client ${client} is erased at ${where}, in ${counted(rows, 'row')}. ${account ? 'The account is erased as well.' : 'The account stays, because the client has another office.'}`,
    }
  })
}
