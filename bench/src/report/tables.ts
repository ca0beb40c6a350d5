import type { Outcome, Standing, Verdict } from '../outcome.js'
import type { Environment } from './environment.js'

/** Formats all results of a run as Markdown. */
export function tablesOf(outcomes: readonly Outcome[], environment: Environment): string {
  return [sentence(environment), aims(outcomes), contests(outcomes), ...outcomes.flatMap(failure)].join('\n\n')
}

const sentence = ({ date, cpu, cores, memoryGib, node, postgres, rounds, seconds }: Environment) =>
  `${date}, ${cpu}, ${cores} cores, ${memoryGib} GiB; Node ${node}, PostgreSQL ${postgres}; ${rounds} rounds of ${seconds} s.`

const aims = (outcomes: readonly Outcome[]) =>
  table(
    ['What', '', 'Measured', 'Aim', 'Met'],
    outcomes.flatMap(({ what, verdicts }) => verdicts.map((verdict, index) => [index === 0 ? what : '', ...cellsOf(verdict)])),
  )

const cellsOf = ({ what, value, unit, met, ...aim }: Verdict) => [
  what,
  `${rounded(value)} ${unit}`,
  aimOf(aim, unit),
  met === undefined ? '' : met ? 'yes' : '**no**',
]

function aimOf({ atLeast, atMost }: Pick<Verdict, 'atLeast' | 'atMost'>, unit: string): string {
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast} to ${atMost} ${unit}`
  if (atLeast !== undefined) return `≥ ${atLeast.toLocaleString('en')} ${unit}`
  return atMost === undefined ? '' : `≤ ${atMost} ${unit}`
}

const contests = (outcomes: readonly Outcome[]) =>
  table(
    ['Scenario', 'Who', 'Answers/s', 'p99 ms', 'Bytes', 'CPU seconds for 10,000 answers'],
    outcomes.flatMap(({ name, standings }) => standings.map((standing, index) => [index === 0 ? name : '', ...rowOf(standing)])),
  )

const rowOf = ({ contestant, perSecond, p99Ms, bytes, cpu }: Standing) => [
  contestant,
  Math.round(perSecond).toLocaleString('en'),
  String(Math.round(p99Ms)),
  String(Math.round(bytes)),
  Object.entries(cpu)
    .filter(([, seconds]) => seconds >= 0.05)
    .map(([name, seconds]) => `${name} ${seconds.toFixed(2)}`)
    .join(', '),
]

const failure = ({ name, failure }: Outcome) => (failure === undefined ? [] : [`\`${name}\` does not count: ${failure}.`])

const rounded = (value: number) => (Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2))

const table = (headings: readonly string[], rows: readonly (readonly string[])[]) =>
  [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
