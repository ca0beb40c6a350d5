import { resyncCopy } from '@caseway/kit/events'
import type { Command } from 'commander'
import { answering } from '../answering.js'
import { withAuthAddress } from '../auth-address.js'
import type { Io } from '../io.js'
import { exitCodes, Problem } from '../problem.js'
import { type Cases, openCases, using } from '../services.js'

export function copyCommands(program: Command, io: Io): void {
  const resync = program
    .command('copy')
    .description('what cases-and-counters has copied from auth')
    .command('resync')
    .description("read auth's snapshot again, for a copy that has missed something")
    .argument('[name]', 'one copy; without it all')

  answering(resync, io, async (_options, name) => {
    const copies = await withAuthAddress(io.env, (env) => using(openCases(env), (cases) => readAgain(cases, name)))
    return { json: { copies }, text: `Read again: ${copies.join(', ')}.` }
  })
}

async function readAgain({ db, copies }: Cases, name: string | undefined): Promise<string[]> {
  const wanted = name === undefined ? copies : copies.filter((copy) => copy.name === name)
  if (wanted.length === 0) {
    throw new Problem(`There is no copy ${name}; there are ${copies.map(({ name }) => name).join(', ')}.`, exitCodes.wrongUsage)
  }
  for (const copy of wanted) await resyncCopy(db, copy)
  return wanted.map(({ name }) => name)
}
