import { email, line, zone } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField } from '../options.js'
import { newPassword } from '../passwords.js'
import { openAuth, using } from '../services.js'

interface Options {
  name: string
  timeZone: string
  email: string
  firstname: string
  lastname: string
}

const name = asField(line({ max: 100 }))

export function officeCommands(program: Command, io: Io): void {
  const create = program
    .command('office')
    .description('offices, each of them an instance of its own')
    .command('create')
    .description('create an office and its administrator, with a password that is shown once')
    .requiredOption('--name <name>', 'what the office is called', name)
    .requiredOption('--time-zone <zone>', 'IANA name of its time zone, as Europe/Warsaw', asField(zone))
    .requiredOption('--email <address>', 'what the administrator signs in with', asField(email))
    .requiredOption('--firstname <name>', 'of the administrator', name)
    .requiredOption('--lastname <name>', 'of the administrator', name)

  answering<Options>(create, io, async ({ name, timeZone, ...person }) => {
    const password = newPassword()
    const administrator = { ...person, password, passwordExpired: true }
    const { customerId, userId } = await using(openAuth(io.env), (auth) =>
      auth.administration.createOffice({ name, timeZone }, administrator),
    )
    return {
      json: { customer_id: String(customerId), user_id: String(userId), username: person.email, password },
      text: `Office ${customerId} (${name}) is there; its administrator is user ${userId}.

  User name  ${person.email}
  Password   ${password}

The password is not shown again, and has to be changed at the first sign-in.`,
    }
  })
}
