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
    .description('make a new key that signs from now on, when the present one may have leaked')
    .option('--revoke', 'refuse the tokens of all other keys everywhere, within a minute')

  answering<Options>(rotate, io, async ({ revoke = false }) => {
    const kid = await using(openAuth(io.env), (auth) => auth.administration.rotateKeys({ revoke }))
    const others = revoke
      ? 'Tokens of the keys before it are refused within a minute; refresh tokens give new ones.'
      : 'Tokens of the keys before it stay good until they expire.'
    return { json: { kid, revoked: revoke }, text: `Key ${kid} signs from now on. ${others}` }
  })

  const secret = program
    .command('secret')
    .description('AUTH_SECRET, which encrypts the keys and the secrets of second factors')
    .command('rotate')
    .description('encrypt with AUTH_SECRET what a secret of AUTH_SECRET_PREVIOUS has encrypted')

  answering(secret, io, async () => {
    const { keys, secondFactors } = await using(openAuth(io.env), (auth) => auth.administration.reseal())
    const done = `${counted(keys, 'key')} and ${counted(secondFactors, 'second factor')} encrypted anew.`
    const text = `${done} AUTH_SECRET_PREVIOUS is not needed any more once every copy of auth runs with this AUTH_SECRET.`
    return { json: { keys, second_factors: secondFactors }, text }
  })
}
