import { expect, it } from '@jest/globals'
import { verdictOf } from '../outcome.js'
import { tablesOf } from './tables.js'

const environment = {
  ...{ date: '2026-01-01', cpu: 'A CPU', cores: 2, memoryGib: 4, node: '24.0.0', postgres: '18.4', rounds: 3, seconds: 5 },
}
const round = { perSecond: 1234.5, p99Ms: 8, bytes: 400, bad: 0, cpu: { ours: 1.2345, kafka: 0.01 } }

it('shows each figure with its aim, and the cost of an answer by process', () => {
  const figures = [
    { what: 'ours / peer', value: 0.5, unit: '×', atLeast: 0.25 },
    { what: 'large / small', value: 1.2, unit: '×', atLeast: 0.9, atMost: 1.1 },
    { what: 'relay', value: 7947.3, unit: 'events/s' },
  ]
  const outcome = {
    name: 'read',
    what: 'Reading',
    verdicts: figures.map(verdictOf),
    standings: [{ contestant: 'ours', rounds: [round], ...round }],
  }
  expect(tablesOf([outcome], environment)).toBe(`2026-01-01, A CPU, 2 cores, 4 GiB; Node 24.0.0, PostgreSQL 18.4; 3 rounds of 5 s.

| What |  | Measured | Aim | Met |
| --- | --- | --- | --- | --- |
| Reading | ours / peer | 0.50 × | ≥ 0.25 × | yes |
|  | large / small | 1.20 × | 0.9 to 1.1 × | **no** |
|  | relay | 7,947 events/s |  |  |

| Scenario | Who | Answers/s | p99 ms | Bytes | CPU seconds for 10,000 answers |
| --- | --- | --- | --- | --- | --- |
| read | ours | 1,235 | 8 | 400 | ours 1.23 |`)
})

it('shows why a scenario has failed', () => {
  const outcome = { name: 'read', what: 'Reading', verdicts: [], standings: [], failure: 'ours: 3 requests without a good answer' }
  expect(tablesOf([outcome], environment)).toMatch(/\n\n`read` does not count: ours: 3 requests without a good answer\.$/)
})
