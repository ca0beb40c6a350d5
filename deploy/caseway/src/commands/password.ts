import { email } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField } from '../options.js'
import { newPassword } from '../passwords.js'
import { personCalled } from '../people.js'
import { type Auth, openAuth, using } from '../services.js'

interface Options {
  email: string
  client?: boolean
}

export function passwordCommands(program: Command, io: Io): void {
  const reset = program
    .command('password')
    .description('passwords of people')
    .command('reset')
    .description('set a new password for a person, shown once, and end all of their sessions')
    .requiredOption('--email <address>', 'the address with which the person signs in', asField(email))
    .option('--client', 'the person is a client; by default an employee of an office')

  answering<Options>(reset, io, async (options) => {
    const password = newPassword()
    const userId = await using(openAuth(io.env), (auth) => setPassword(auth, options, password))
    return {
      json: { user_id: String(userId), username: options.email, password },
      text: `User ${userId} has a new password, and every session has ended.

  User name  ${options.email}
  Password   ${password}

The password is not shown again, and has to be changed at the first sign-in.`,
    }
  })
}

async function setPassword(auth: Auth, options: Options, password: string) {
  const { person } = await personCalled(auth, options)
  await auth.administration.setPassword(person, password, { expired: true })
  return person.id
}
