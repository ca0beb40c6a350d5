import { Argument, Command, InvalidArgumentError } from 'commander'
import { profileAll } from './profile-all.js'
import { environmentOf } from './report/environment.js'
import { keepResults, writeDocument } from './report/keep.js'
import { tablesOf } from './report/tables.js'
import { run } from './run.js'
import type { Settings } from './scenario.js'
import { scenarios } from './scenarios/index.js'

const names = scenarios.map(({ name }) => name)

/** The command line of `npm run bench`. Exits with 1 when a scenario is invalid, never because a figure misses its aim. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('npm run bench --')
    .description('Measures Caseway beside bare peers. A run of everything writes docs/performance.md.')
    .addArgument(new Argument('[scenarios...]', 'some instead of all').choices(names))
    .option('--rounds <number>', 'rounds of each contestant', positive, 3)
    .option('--seconds <number>', 'length of a round', positive, 5)
    .option('--profile', 'instead of measuring, show where the processes spend their time')
    .parse([...argv], { from: 'user' })
  const wanted = program.args.length > 0 ? scenarios.filter(({ name }) => program.args.includes(name)) : scenarios
  const { profile, ...settings } = program.opts<Settings & { profile?: true }>()
  if (profile) {
    const comparisons = wanted.filter((scenario) => 'contestants' in scenario)
    if (comparisons.length === 0) program.error('error: --profile shows comparisons with a peer, and none of these scenarios is one.')
    return profileAll(comparisons, settings, console.log)
  }

  const { outcomes, postgres } = await run(wanted, settings, console.error)
  const environment = environmentOf(settings, postgres)
  console.error(keepResults(outcomes, environment))
  const tables = tablesOf(outcomes, environment)
  console.log(`\n${tables}\n`)
  if (wanted.length === scenarios.length) writeDocument(tables)
  if (outcomes.some(({ failure }) => failure !== undefined)) process.exitCode = 1
}

function positive(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('It must be a whole number of at least 1.')
  return number
}
