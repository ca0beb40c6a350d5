import type { Id } from '@caseway/kit/caller'
import { idText } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField, atLeastOne } from '../options.js'
import { Problem } from '../problem.js'
import { type Mail, openMail, using } from '../services.js'
import { counted, table } from '../table.js'

const noMailbox = (id: Id) => `There is no mailbox ${id}.`
const noneReceives = (id: Id) => `There is no mailbox ${id} that receives.`

export function mailCommands(program: Command, io: Io): void {
  const group = program.command('mail').description('mailboxes of all offices')

  const boxes = group
    .command('boxes')
    .description('list mailboxes with their states, those with the most failures first')
    .option('-n, --limit <number>', 'maximum number of entries', atLeastOne, 100)
  answering<{ limit: number }>(boxes, io, async ({ limit }) => {
    const found = await using(openMail(io.env), ({ administration }) => administration.mailboxes.states(limit))
    return { json: { mailboxes: found.map(onTheWire) }, text: listed(found.map(onTheWire)) }
  })

  const changing = (name: 'pause' | 'resume' | 'resync', description: string, said: string, missing = noMailbox) => {
    const command = group.command(name).description(description).requiredOption('--mailbox <id>', 'the mailbox', asField(idText))
    answering<{ mailbox: Id }>(command, io, async ({ mailbox }) => {
      const found = await using(openMail(io.env), ({ administration }) => administration.mailboxes[name](mailbox))
      if (!found) throw new Problem(missing(mailbox))
      return { json: { id: String(mailbox) }, text: `Mailbox ${mailbox} ${said}.` }
    })
  }
  changing('pause', 'pause a mailbox: it receives and sends nothing until it is resumed', 'is paused')
  changing('resume', 'resume a mailbox that is paused or was stopped', 'is resumed')
  changing('resync', 'compare all received messages of a mailbox with its server again', 'will be compared with its server', noneReceives)

  const failures = group
    .command('failures')
    .description('list the messages of a mailbox that could not be fetched or stored, in the order of their next retry')
    .requiredOption('--mailbox <id>', 'the mailbox', asField(idText))
    .option('-n, --limit <number>', 'maximum number of entries', atLeastOne, 100)
  answering<{ mailbox: Id; limit: number }>(failures, io, async ({ mailbox, limit }) => {
    const found = await using(openMail(io.env), ({ administration }) => administration.mailboxes.failures(mailbox, limit))
    if (!found) throw new Problem(noneReceives(mailbox))
    return { json: { failures: found.map(failureOnTheWire) }, text: failuresListed(found.map(failureOnTheWire)) }
  })

  const replay = group
    .command('replay')
    .description('retry now all messages of a mailbox that could not be fetched or stored')
    .requiredOption('--mailbox <id>', 'the mailbox', asField(idText))
  answering<{ mailbox: Id }>(replay, io, async ({ mailbox }) => {
    const messages = await using(openMail(io.env), ({ administration }) => administration.mailboxes.replay(mailbox))
    if (messages === undefined) throw new Problem(noneReceives(mailbox))
    return { json: { id: String(mailbox), messages }, text: `${counted(messages, 'message')} of mailbox ${mailbox} will be retried now.` }
  })

  const recount = group
    .command('recount')
    .description("count an office's unread messages again, and show by how much the count of each folder differs")
    .requiredOption('--office <id>', 'the office', asField(idText))
    .option('--repair', 'correct the differences')
  answering<{ office: Id; repair?: boolean }>(recount, io, async ({ office, repair = false }) => {
    const missing = await using(openMail(io.env), async ({ administration }) => {
      if (!(await administration.hasOffice(office))) throw new Problem(`Mail knows no office ${office}.`)
      return administration.recount(office, { repair })
    })
    return { json: { counts: missing.map(countOnTheWire), repaired: repair }, text: described(missing, repair) }
  })

  const rotate = group
    .command('rotate')
    .description('re-encrypt with MAIL_SECRET everything that is encrypted with a secret of MAIL_SECRET_PREVIOUS')
  answering(rotate, io, async () => {
    const secrets = await using(openMail(io.env), ({ administration }) => administration.reseal())
    const after = 'MAIL_SECRET_PREVIOUS is not needed any more when every copy of mail runs with this MAIL_SECRET.'
    return { json: { secrets }, text: `${counted(secrets, 'secret')} re-encrypted. ${after}` }
  })
}

type Mailbox = Awaited<ReturnType<Mail['administration']['mailboxes']['states']>>[number]

const onTheWire = ({ id, customerId, protocol, serverAddress, state, lastError, failures, lastFetchAt }: Mailbox) => ({
  ...{ id: String(id), customer_id: String(customerId), protocol, server_address: serverAddress },
  ...{ state, last_error: lastError, failures },
  last_fetch_at: lastFetchAt?.toISOString() ?? null,
})

function listed(mailboxes: readonly ReturnType<typeof onTheWire>[]): string {
  if (mailboxes.length === 0) return 'There is no mailbox.'
  const rows = mailboxes.map(({ id, customer_id, protocol, server_address, state, last_error, failures, last_fetch_at }) => [
    ...[id, customer_id, protocol, server_address, state, last_error ?? '-', String(failures), last_fetch_at ?? 'never'],
  ])
  return table(['ID', 'OFFICE', 'PROTOCOL', 'SERVER', 'STATE', 'ERROR', 'FAILURES', 'FETCHED'], rows)
}

type Failure = NonNullable<Awaited<ReturnType<Mail['administration']['mailboxes']['failures']>>>[number]

const failureOnTheWire = ({ folder, uid, uidl, error, tries, nextTry, created }: Failure) => ({
  ...{ folder, uid: String(uid), uidl, error, tries, next_try: nextTry.toISOString(), created: created.toISOString() },
})

function failuresListed(failures: readonly ReturnType<typeof failureOnTheWire>[]): string {
  if (failures.length === 0) return 'Every message is stored.'
  const rows = failures.map(({ folder, uid, error, tries, next_try, created }) => [folder, uid, error, String(tries), next_try, created])
  return table(['FOLDER', 'UID', 'ERROR', 'TRIES', 'NEXT TRY', 'SINCE'], rows)
}

type Missing = Awaited<ReturnType<Mail['administration']['recount']>>

/** `off_by` is the stored count minus the correct one. */
const countOnTheWire = ({ folder, folderId, userId, by }: Missing[number]) => ({
  ...{ folder, folder_id: folderId === 0n ? null : String(folderId), user_id: userId === 0n ? null : String(userId), off_by: -by },
})

function described(missing: Missing, repaired: boolean): string {
  if (missing.length === 0) return 'Every count is right.'
  const rows = missing.map(countOnTheWire).map(({ folder, folder_id, user_id, off_by }) => {
    return [folder, folder_id ?? '', user_id ?? '', off_by > 0 ? `+${off_by}` : String(off_by)]
  })
  const after = repaired ? 'They have been corrected.' : 'Nothing was changed: --repair corrects them.'
  return `${table(['FOLDER', 'CUSTOM FOLDER', 'USER', 'OFF BY'], rows)}\n\n${after}`
}
