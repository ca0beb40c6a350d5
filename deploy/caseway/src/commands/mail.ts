import type { Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import { idText } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField, atLeastOne } from '../options.js'
import { type Mail, openMail, using } from '../services.js'
import { counted, table } from '../table.js'

export function mailCommands(program: Command, io: Io): void {
  const group = program.command('mail').description('the mailboxes of all offices')

  const boxes = group
    .command('boxes')
    .description('list mailboxes with their states, those that fail most first')
    .option('-n, --limit <number>', 'at most so many', atLeastOne, 100)
  answering<{ limit: number }>(boxes, io, async ({ limit }) => {
    const found = await using(openMail(io.env), ({ administration }) => administration.mailboxes.states(limit))
    return { json: { mailboxes: found.map(onTheWire) }, text: listed(found.map(onTheWire)) }
  })

  const changing = (name: 'pause' | 'resume', description: string, said: string) => {
    const command = group.command(name).description(description).requiredOption('--mailbox <id>', 'the mailbox', asField(idText))
    answering<{ mailbox: Id }>(command, io, async ({ mailbox }) => {
      const found = await using(openMail(io.env), ({ administration }) => administration.mailboxes[name](mailbox))
      if (!found) throw notFound()
      return { json: { id: String(mailbox) }, text: `Mailbox ${mailbox} ${said}.` }
    })
  }
  changing('pause', 'receive and send nothing until it is resumed', 'is paused')
  changing('resume', 'start a mailbox that is paused or was stopped', 'is started')

  const rotate = group.command('rotate').description('encrypt with MAIL_SECRET what a secret of MAIL_SECRET_PREVIOUS has encrypted')
  answering(rotate, io, async () => {
    const secrets = await using(openMail(io.env), ({ administration }) => administration.reseal())
    const after = 'MAIL_SECRET_PREVIOUS is not needed any more when every copy of mail runs with this MAIL_SECRET.'
    return { json: { secrets }, text: `${counted(secrets, 'secret')} encrypted anew. ${after}` }
  })
}

type Mailbox = Awaited<ReturnType<Mail['administration']['mailboxes']['states']>>[number]

const onTheWire = ({ id, customerId, serverAddress, state, lastError, failures, lastFetchAt }: Mailbox) => ({
  ...{ id: String(id), customer_id: String(customerId), server_address: serverAddress, state, last_error: lastError, failures },
  last_fetch_at: lastFetchAt?.toISOString() ?? null,
})

function listed(mailboxes: readonly ReturnType<typeof onTheWire>[]): string {
  if (mailboxes.length === 0) return 'There is no mailbox.'
  const rows = mailboxes.map(({ id, customer_id, server_address, state, last_error, failures, last_fetch_at }) => [
    ...[id, customer_id, server_address, state, last_error ?? '-', String(failures), last_fetch_at ?? 'never'],
  ])
  return table(['ID', 'OFFICE', 'SERVER', 'STATE', 'ERROR', 'FAILURES', 'FETCHED'], rows)
}
