import type { Command } from 'commander'
import type { Io } from './io.js'
import { Problem } from './problem.js'

export interface Answer {
  /** For machines. Ids are texts. */
  readonly json: unknown
  /** For people. */
  readonly text: string
  /** What was not done of what was asked for, when something was not. */
  readonly problem?: string | undefined
}

/** A command that does `work` and says what came of it, in one of two ways. */
export function answering<Options>(command: Command, io: Io, work: (options: Options, argument?: string) => Promise<Answer>): void {
  command.option('--json', 'answer with one JSON document').action(async () => {
    const { json: forMachines, ...options } = command.opts()
    const { json, text, problem } = await work(options as Options, command.args[0])
    io.out(forMachines ? JSON.stringify(json, null, 2) : text)
    if (problem !== undefined) throw new Problem(problem)
  })
}
