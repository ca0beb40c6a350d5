import { email } from '@caseway/kit/fields'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField } from '../options.js'
import { personCalled } from '../people.js'
import { Problem } from '../problem.js'
import { openAuth, using } from '../services.js'

interface Options {
  email: string
  client?: boolean
}

export function secondFactorCommands(program: Command, io: Io): void {
  const reset = program
    .command('second-factor')
    .description('second factors of people')
    .command('reset')
    .description('remove the second factor of a person who has lost it, and end all of their sessions')
    .requiredOption('--email <address>', 'the address with which the person signs in', asField(email))
    .option('--client', 'the person is a client; by default an employee of an office')

  answering<Options>(reset, io, async (options) => {
    const userId = await using(openAuth(io.env), async (auth) => {
      const { person, customerId } = await personCalled(auth, options)
      if (await auth.administration.resetSecondFactor(person, customerId)) return person.id
      throw new Problem(`${options.email} has no second factor.`)
    })
    return {
      json: { user_id: String(userId) },
      text: `User ${userId} signs in with the password alone, and every session has ended.`,
    }
  })
}
