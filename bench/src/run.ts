import { compare } from './compare.js'
import { type Outcome, verdictOf } from './outcome.js'
import { type DistributedPlatform, startDistributed } from './platform/distributed.js'
import type { Comparison, Experiment, Figure, Scenario, Settings } from './scenario.js'
import { seed } from './seeding/seed.js'

type Say = (line: string) => void

export interface Run {
  outcomes: readonly Outcome[]
  /** The version of PostgreSQL, if one was running. */
  postgres?: string | undefined
}

/** Runs the scenarios one after the other: first those with a platform of their own, then the others on one distributed platform. */
export async function run(scenarios: readonly Scenario[], settings: Settings, say: Say): Promise<Run> {
  const outcomes: Outcome[] = []
  const note = async (scenario: Scenario, work: () => Promise<Outcome>) => {
    say(`${scenario.name} …`)
    outcomes.push(await work().catch((error: Error) => ({ ...titleOf(scenario), verdicts: [], standings: [], failure: error.message })))
  }
  for (const scenario of scenarios) {
    if ('measureAlone' in scenario) await note(scenario, async () => outcomeOf(scenario, await scenario.measureAlone(settings)))
  }
  const others = scenarios.filter((scenario) => !('measureAlone' in scenario)) as (Comparison | Experiment)[]
  if (others.length === 0) return { outcomes }
  say('the distributed platform, with a million cases …')
  const distributed = await startDistributed()
  try {
    await seed(distributed.databases)
    for (const scenario of others) await note(scenario, () => runOn(distributed, scenario, settings))
    const [server] = await distributed.databases.cases.rows<{ server_version: string }>('SHOW server_version')
    return { outcomes, postgres: server?.server_version }
  } finally {
    await distributed.stop()
  }
}

const runOn = async (distributed: DistributedPlatform, scenario: Comparison | Experiment, settings: Settings): Promise<Outcome> =>
  'contestants' in scenario ? compare(scenario, distributed, settings) : outcomeOf(scenario, await scenario.measure(distributed, settings))

const titleOf = ({ name, what }: Scenario) => ({ name, what })

const outcomeOf = (scenario: Scenario, figures: readonly Figure[]): Outcome => ({
  ...titleOf(scenario),
  verdicts: figures.map(verdictOf),
  standings: [],
})
