import { line } from '@caseway/kit/fields'
import { type Command, Option } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField } from '../options.js'
import { openAuth, using } from '../services.js'

interface Options {
  clientId: string
  name: string
  kind: 'first_party' | 'technical'
}

const kinds = ['first_party', 'technical'] as const

export function applicationCommands(program: Command, io: Io): void {
  const create = program
    .command('application')
    .description('programs that may ask for tokens')
    .command('create')
    .description('let a program ask for tokens: one of our own, which can keep no secret, or an external one, whose secret is shown once')
    .requiredOption('--client-id <id>', 'what it calls itself (client_id), as caseway-frontends', asField(line({ min: 1, max: 64 })))
    .requiredOption('--name <name>', 'what it is', asField(line({ min: 1, max: 255 })))
    .addOption(new Option('--kind <kind>', 'a frontend, or an external platform').choices(kinds).makeOptionMandatory())

  answering<Options>(create, io, async ({ clientId, name, kind }) => {
    const { secret } = await using(openAuth(io.env), ({ administration }) => administration.createApplication(clientId, kind, name))
    return {
      json: { client_id: clientId, client_secret: secret },
      text: secret ? `${clientId} may ask for tokens with the secret ${secret}` : `${clientId} may ask for tokens, without a secret.`,
    }
  })
}
