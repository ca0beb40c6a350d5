import { email, line } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField } from '../options.js'
import { exitCodes, Problem } from '../problem.js'
import { openAuth, using } from '../services.js'

interface Options {
  email: string
  /** False to remove the id. */
  externalUserId?: string | false
}

/** The same rule as in the resource `Client`. */
const externalUserId = line({ min: 1, max: 255 })

export function clientCommands(program: Command, io: Io): void {
  const change = program
    .command('client')
    .description('accounts of clients')
    .command('change')
    .description('change fields of an account that no office may change')
    .requiredOption('--email <address>', 'the address with which the client signs in', asField(email))
    .option('--external-user-id <id>', 'the id of the client on the external platform', asField(externalUserId))
    .option('--no-external-user-id', 'remove the id')

  // Both options set the same value, of which the last would win silently.
  const given = new Set<string>()
  for (const name of ['external-user-id', 'no-external-user-id']) change.on(`option:${name}`, () => given.add(name))

  answering<Options>(change, io, async ({ email, externalUserId: wanted }) => {
    if (given.size > 1) throw new Problem('Give either --external-user-id <id> or --no-external-user-id, not both.', exitCodes.wrongUsage)
    if (wanted === undefined)
      throw new Problem('There is nothing to change: give --external-user-id <id> or --no-external-user-id.', exitCodes.wrongUsage)
    const id = wanted === false ? null : wanted
    const userId = await using(openAuth(io.env), async ({ administration }) => {
      const account = await administration.accountOf('client', email)
      if (!account) throw new Problem(`No client signs in as ${email}.`)
      await administration.identifyClient(account.userId, id)
      return account.userId
    })
    return {
      json: { client_id: String(userId), username: email, external_user_id: id },
      text: id === null ? `Client ${userId} has no external user id.` : `Client ${userId} has the external user id ${id}.`,
    }
  })
}
