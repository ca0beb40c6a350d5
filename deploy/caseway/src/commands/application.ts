import { line } from '@caseway/kit/fields'
import { type Command, Option } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { asField } from '../options.js'
import { openAuth, using } from '../services.js'
import { counted } from '../table.js'

interface Options {
  clientId: string
  name: string
  kind: 'first_party' | 'technical'
}

const kinds = ['first_party', 'technical'] as const

export function applicationCommands(program: Command, io: Io): void {
  const group = program.command('application').description('applications (OAuth clients) that may request tokens')
  const called = asField(line({ min: 1, max: 64 }))

  const create = group
    .command('create')
    .description('create an application: a frontend without a secret, or an external platform, whose secret is shown once')
    .requiredOption('--client-id <id>', 'its client_id, such as caseway-frontends', called)
    .requiredOption('--name <name>', 'its display name', asField(line({ min: 1, max: 255 })))
    .addOption(new Option('--kind <kind>', 'a frontend, or an external platform').choices(kinds).makeOptionMandatory())

  answering<Options>(create, io, async ({ clientId, name, kind }) => {
    const { secret } = await using(openAuth(io.env), ({ administration }) => administration.createApplication(clientId, kind, name))
    return {
      json: { client_id: clientId, client_secret: secret },
      text: secret ? `${clientId} may request tokens with the secret ${secret}` : `${clientId} may request tokens without a secret.`,
    }
  })

  const renew = group
    .command('renew-secret')
    .description(
      'replace the secret of an external platform; the new one is shown once, and the old one and its tokens are refused at once',
    )
    .requiredOption('--client-id <id>', 'its client_id', called)
  answering<Pick<Options, 'clientId'>>(renew, io, async ({ clientId }) => {
    const secret = await using(openAuth(io.env), ({ administration }) => administration.renewSecret(clientId))
    return { json: { client_id: clientId, client_secret: secret }, text: `${clientId} may request tokens with the secret ${secret}` }
  })

  const remove = group
    .command('delete')
    .description('delete an application, and end all sessions that were started with it')
    .requiredOption('--client-id <id>', 'its client_id', called)
  answering<Pick<Options, 'clientId'>>(remove, io, async ({ clientId }) => {
    const sessions = await using(openAuth(io.env), ({ administration }) => administration.deleteApplication(clientId))
    return { json: { client_id: clientId, sessions }, text: `${clientId} is deleted. ${counted(sessions, 'session')} ended with it.` }
  })
}
