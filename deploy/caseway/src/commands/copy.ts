import { resyncCopy } from '@caseway/kit/events'
import { services } from '@caseway/registry'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import type { Io } from '../io.js'
import { withOwners } from '../owner-addresses.js'
import { exitCodes, Problem } from '../problem.js'
import { inServices } from '../services.js'

/** Those of whose data copies may be kept. */
const owners = services.filter(({ grpc }) => grpc).map(({ name }) => name)
/** Whoever asks another service may have copied something of it. */
const keepers = services.filter(({ asks }) => asks.length > 0).map(({ name }) => name)

export function copyCommands(program: Command, io: Io): void {
  const resync = program
    .command('copy')
    .description('copies that services keep of what others own')
    .command('resync')
    .description('read the snapshot of the owner again, for a copy that has missed events')
    .argument('[name]', 'one copy, in every service that keeps it; without it all')

  answering(resync, io, async (_options, wanted) => {
    const known = new Set<string>()
    const copies = await withOwners(io.env, owners, (env) =>
      inServices(env, keepers, async ({ db, copies }) => {
        for (const { name } of copies) known.add(name)
        const chosen = copies.filter(({ name }) => wanted === undefined || name === wanted)
        for (const copy of chosen) await resyncCopy(db, copy)
        return chosen.map(({ name }) => name)
      }),
    )
    const read = [...new Set(copies.flat())]
    if (read.length === 0) throw new Problem(`There is no copy ${wanted}; there are ${[...known].join(', ')}.`, exitCodes.wrongUsage)
    return { json: { copies: read }, text: `Read again: ${read.join(', ')}.` }
  })
}
