import { round } from './measuring/load.js'
import { type Profiled, profile } from './measuring/profile.js'
import type { SelfTime } from './measuring/self-times.js'
import { startDistributed } from './platform/distributed.js'
import { keepProfile } from './report/keep.js'
import type { Comparison, Settings } from './scenario.js'
import { seed } from './seeding/seed.js'

const shown = 30
/** Percentage of CPU below which a process is left out, because the load did not reach it. */
const leastBusy = 2
const warmUpSeconds = 5

/** Profiles the first contestant of each comparison, and prints the functions that take most of the time. */
export async function profileAll(comparisons: readonly Comparison[], { seconds }: Settings, say: (line: string) => void): Promise<void> {
  const distributed = await startDistributed()
  try {
    await seed(distributed.databases)
    for (const { name, contestants } of comparisons) {
      const [contestant] = Object.values(await contestants(distributed))
      if (!contestant) continue
      await round(contestant, warmUpSeconds)
      for (const profiled of await profile(contestant, seconds)) if (profiled.busy >= leastBusy) say(textOf(name, profiled))
    }
  } finally {
    await distributed.stop()
  }
}

function textOf(scenario: string, { process, profile, busy, packages, functions }: Profiled): string {
  const path = keepProfile(`${scenario}-${process}`, profile)
  const largest = packages.slice(0, shown / 2).map(({ where, percent }) => `${where} ${percent.toFixed(1)}`)
  return [
    `\n${scenario}, ${process}: busy for ${busy.toFixed(0)} % (${path})`,
    largest.join(' · '),
    ...functions.slice(0, shown).map(line),
  ].join('\n')
}

const line = ({ where, percent }: SelfTime) => `${percent.toFixed(1).padStart(5)} %  ${where}`
