import { type Growth, grow, type Load, type Policy, type Year } from './growth.js'

/** The figures of `docs/operations.md`, "Sizes" and "Sharding". */
export const growth: Growth = { offices: 100_000, years: 8, sigma: 1.5, seed: 1 }
const kb = 1e-6
const maxGb = 2000
export const mail: Load = { gbPerYear: 200 * 365 * 11.5 * kb, maxGb, requestsPerSecond: 0, maxRequests: 1 }
export const cases: Load = { gbPerYear: (5000 * 0.8 + 50_000 * 2.5) * kb, maxGb, requestsPerSecond: 4, maxRequests: 32_000 }
export const chosen: Policy = { place: 'fullest', move: 'youngest', roomMonths: 12 }
const copiedGbPerMinute = (20 * 60) / 1000

const policies: readonly Policy[] = [
  chosen,
  { ...chosen, move: 'largest' },
  { ...chosen, place: 'emptiest' },
  { ...chosen, roomMonths: 6 },
  { ...chosen, roomMonths: 24 },
]

const whole = (number: number) => Math.round(number).toLocaleString('en')
const short = (number: number) => (number < 10 ? number.toFixed(1) : whole(number))
const percent = (share: number) => `${Math.round(share * 100)} %`
const minutes = ({ moved }: Year) => whole(moved.largestGb / copiedGbPerMinute)
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const byYear = ({ years }: ReturnType<typeof grow>, withRequests: boolean) =>
  years.map((year) => [
    ...[String(year.year), whole(year.offices), short(year.tb), String(year.shards)],
    [year.fill.least, year.fill.mean, year.fill.most].map(percent).join(', '),
    ...[whole(year.moved.offices), short(year.moved.tb), minutes(year)],
    ...(withRequests ? [whole(year.requests)] : []),
  ])

const head = ['Year', 'Offices', 'TB', 'Shards', 'Fill: least, mean, most', 'Offices moved', 'TB moved', 'Longest pause, minutes']

/** The cost of a policy over all years: which share of the final data was moved. */
function costs(policy: Policy): string[] {
  const { years } = grow(growth, mail, policy)
  const sum = (of: (year: Year) => number) => years.reduce((total, year) => total + of(year), 0)
  const last = years.at(-1) as Year
  return [
    ...[policy.place, policy.move, String(policy.roomMonths), String(last.shards), percent(last.fill.mean)],
    ...[whole(sum(({ moved }) => moved.offices)), percent(sum(({ moved }) => moved.tb) / last.tb)],
    whole(Math.max(...years.map(({ moved }) => moved.largestGb)) / copiedGbPerMinute),
  ]
}

/** The tables of `docs/operations.md`. */
export const shardingTables = (): string =>
  [
    table(
      head.map((cell) => (cell === 'TB' ? 'TB of mail' : cell)),
      byYear(grow(growth, mail, chosen), false),
    ),
    table(
      [...head.map((cell) => (cell === 'TB' ? 'TB of cases' : cell)), 'Requests/s of the busiest'],
      byYear(grow(growth, cases, chosen), true),
    ),
    table(
      ['Placed', 'Moved', 'Room, months', 'Shards', 'Mean fill', 'Offices moved', 'Of all data', 'Longest pause, minutes'],
      policies.map(costs),
    ),
  ].join('\n\n')
