import type { Command } from 'commander'
import { answering } from '../answering.js'
import { resyncCopies } from '../copies.js'
import type { Io } from '../io.js'
import { exitCodes, Problem } from '../problem.js'

export function copyCommands(program: Command, io: Io): void {
  const resync = program
    .command('copy')
    .description('copies that services keep of what others own')
    .command('resync')
    .description('read the snapshot of the owner again, for a copy that has missed events')
    .argument('[name]', 'one copy, in every service that keeps it; without it all')

  answering(resync, io, async (_options, wanted) => {
    const { read, known } = await resyncCopies(io.env, wanted)
    if (read.length === 0) throw new Problem(`There is no copy ${wanted}; there are ${known.join(', ')}.`, exitCodes.wrongUsage)
    return { json: { copies: read }, text: `Read again: ${read.join(', ')}.` }
  })
}
