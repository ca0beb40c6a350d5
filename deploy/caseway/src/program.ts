import { Command } from 'commander'
import { applicationCommands } from './commands/application.js'
import { cardCommands } from './commands/card.js'
import { clientCommands } from './commands/client.js'
import { copyCommands } from './commands/copy.js'
import { counterCommands } from './commands/counters.js'
import { deadLetterCommands } from './commands/dead-letters.js'
import { eventCommands } from './commands/events.js'
import { fileCommands } from './commands/files.js'
import { idCommands } from './commands/ids.js'
import { jobCommands } from './commands/jobs.js'
import { keyCommands } from './commands/key.js'
import { mailCommands } from './commands/mail.js'
import { officeCommands } from './commands/office.js'
import { partnerCommands } from './commands/partner.js'
import { passwordCommands } from './commands/password.js'
import { personCommands } from './commands/person.js'
import { secondFactorCommands } from './commands/second-factor.js'
import { topicCommands } from './commands/topics.js'
import type { Io } from './io.js'

const groups = [
  officeCommands,
  applicationCommands,
  passwordCommands,
  secondFactorCommands,
  clientCommands,
  personCommands,
  deadLetterCommands,
  jobCommands,
  copyCommands,
  idCommands,
  keyCommands,
  counterCommands,
  fileCommands,
  cardCommands,
  partnerCommands,
  mailCommands,
  eventCommands,
  topicCommands,
]

/** Creates all commands. Parse errors throw a CommanderError instead of ending the process. */
export function createProgram(io: Io): Command {
  const program = new Command('npm run caseway --')
    .description('The administration of a Caseway installation.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => io.err(text.trimEnd()),
      outputError: (text, write) => write(asSentence(text)),
    })
  for (const add of groups) add(program, io)
  return program
}

/** Joins `error: unknown option '--x'` and the hint below it to one line. */
function asSentence(text: string): string {
  const line = text
    .replace(/^error: /, '')
    .trim()
    .replaceAll('\n', ' ')
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.)]$/.test(line) ? '' : '.'}`
}
