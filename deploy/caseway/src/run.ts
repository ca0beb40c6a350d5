import { CommanderError } from 'commander'
import type { Io } from './io.js'
import { type ExitCode, exitCodes, Problem, sentence } from './problem.js'
import { createProgram } from './program.js'

/**
 * Runs one command.
 * @param argv the arguments after `npm run caseway --`
 */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    await createProgram(io).parseAsync([...argv], { from: 'user' })
    return exitCodes.done
  } catch (error) {
    // Commander has already printed the error, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage
    io.err(sentence(error))
    return error instanceof Problem ? error.exitCode : exitCodes.failed
  }
}
