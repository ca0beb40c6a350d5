import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { openAuth, using } from '../services.js'

export function keyCommands(program: Command, io: Io): void {
  const rotate = program
    .command('key')
    .description('keys that sign access tokens')
    .command('rotate')
    .description('make a new key that signs from now on, when the present one may have been told')

  answering(rotate, io, async () => {
    const kid = await using(openAuth(io.env), (auth) => auth.rotateKeys())
    return { json: { kid }, text: `Key ${kid} signs from now on. Tokens of the keys before it stay good until they expire.` }
  })
}
