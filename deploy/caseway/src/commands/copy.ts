import type { Command } from 'commander'
import { answering } from '../answering.js'
import { resyncCopies } from '../copies.js'
import type { Io } from '../io.js'
import { exitCodes, Problem } from '../problem.js'

export function copyCommands(program: Command, io: Io): void {
  const resync = program
    .command('copy')
    .description('copies that services keep of the data of other services')
    .command('resync')
    .description('fill a copy from the snapshot of its owner, for instance after it has missed events')
    .argument('[name]', 'name of one copy; by default all copies')

  answering(resync, io, async (_options, wanted) => {
    const { read, known } = await resyncCopies(io.env, wanted)
    if (read.length === 0) throw new Problem(`There is no copy ${wanted}; the copies are ${known.join(', ')}.`, exitCodes.wrongUsage)
    return { json: { copies: read }, text: `Filled again: ${read.join(', ')}.` }
  })
}
