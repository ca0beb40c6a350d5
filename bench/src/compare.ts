import { type Round, round } from './measuring/load.js'
import { median } from './measuring/statistics.js'
import { type Outcome, type Standing, verdictOf } from './outcome.js'
import type { DistributedPlatform } from './platform/distributed.js'
import type { Comparison, Ratio, Settings } from './scenario.js'

const warmUpSeconds = 3

/** Runs the rounds of the contestants alternately, so that other load on the machine affects all of them. */
export async function compare(
  { name, what, contestants, aims }: Comparison,
  distributed: DistributedPlatform,
  settings: Settings,
): Promise<Outcome> {
  const all = Object.entries(await contestants(distributed))
  for (const [, contestant] of all) await round(contestant, warmUpSeconds)
  const rounds = new Map<string, Round[]>(all.map(([name]) => [name, []]))
  for (let number = 0; number < settings.rounds; number++) {
    for (const [name, contestant] of all) rounds.get(name)?.push(await round(contestant, settings.seconds))
  }
  const standings = [...rounds].map(([contestant, rounds]) => standingOf(contestant, rounds))
  const failed = standings.filter(({ bad }) => bad > 0)
  return {
    ...{ name, what, standings },
    verdicts: aims.map((aim) => verdictOf(figureOf(aim, standings))),
    ...(failed.length > 0 && {
      failure: failed.map(({ contestant, bad }) => `${contestant}: ${bad} requests without a good answer`).join(', '),
    }),
  }
}

function standingOf(contestant: string, rounds: readonly Round[]): Standing {
  const processes = Object.keys(rounds[0]?.cpu ?? {})
  return {
    ...{ contestant, rounds },
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    bytes: median(rounds.map(({ bytes }) => bytes)),
    bad: rounds.reduce((sum, { bad }) => sum + bad, 0),
    cpu: Object.fromEntries(processes.map((name) => [name, median(rounds.map(({ cpu }) => cpu[name] ?? 0))])),
  }
}

function figureOf({ of, to, atLeast, atMost }: Ratio, standings: readonly Standing[]) {
  const perSecond = (name: string) => standings.find(({ contestant }) => contestant === name)?.perSecond ?? Number.NaN
  return { what: `${of} / ${to}`, value: perSecond(of) / perSecond(to), unit: '×', atLeast, ...(atMost !== undefined && { atMost }) }
}
