import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { openAuth, using } from '../services.js'
import { counted } from '../table.js'

interface Options {
  revoke?: boolean
}

export function keyCommands(program: Command, io: Io): void {
  const rotate = program
    .command('key')
    .description('keys that sign access tokens')
    .command('rotate')
    .description('replace the signing key, for instance because it may have leaked')
    .option('--revoke', 'refuse tokens signed with any other key everywhere, within a minute')

  answering<Options>(rotate, io, async ({ revoke = false }) => {
    const kid = await using(openAuth(io.env), (auth) => auth.administration.rotateKeys({ revoke }))
    const others = revoke
      ? 'Tokens signed with earlier keys are refused within a minute; refresh tokens stay valid.'
      : 'Tokens signed with earlier keys stay valid until they expire.'
    return { json: { kid, revoked: revoke }, text: `Key ${kid} signs from now on. ${others}` }
  })

  const secret = program
    .command('secret')
    .description('AUTH_SECRET, which encrypts the signing keys and the secrets of second factors')
    .command('rotate')
    .description('re-encrypt with AUTH_SECRET everything that is encrypted with a secret of AUTH_SECRET_PREVIOUS')

  answering(secret, io, async () => {
    const { keys, secondFactors } = await using(openAuth(io.env), (auth) => auth.administration.reseal())
    const done = `${counted(keys, 'key')} and ${counted(secondFactors, 'second factor')} re-encrypted.`
    const text = `${done} AUTH_SECRET_PREVIOUS is not needed any more once every copy of auth runs with this AUTH_SECRET.`
    return { json: { keys, second_factors: secondFactors }, text }
  })
}
