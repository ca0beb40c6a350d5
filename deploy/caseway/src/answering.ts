import type { Command } from 'commander'
import type { Io } from './io.js'
import { Problem } from './problem.js'

export interface Answer {
  /** The answer of `--json`. Ids are strings. */
  readonly json: unknown
  /** The answer for people. */
  readonly text: string
  /** The part of the request that was not done, as a sentence; the command then fails. */
  readonly problem?: string | undefined
}

/** Adds an action to a command: it does `work` and prints the answer, as text or with `--json` as one JSON document. */
export function answering<Options>(command: Command, io: Io, work: (options: Options, argument?: string) => Promise<Answer>): void {
  command.option('--json', 'answer with one JSON document').action(async () => {
    const { json: forMachines, ...options } = command.opts()
    const { json, text, problem } = await work(options as Options, command.args[0])
    io.out(forMachines ? JSON.stringify(json, null, 2) : text)
    if (problem !== undefined) throw new Problem(problem)
  })
}
