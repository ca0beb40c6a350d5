import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { type Growth, grow, officesAfter, type Policy } from '../src/sharding/growth.js'
import { cases, chosen, growth, mail, shardingTables } from '../src/sharding/sharding-tables.js'

const smaller: Growth = { ...growth, offices: 10_000, years: 4 }
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
const policies = (['fullest', 'emptiest'] as const).flatMap((place) =>
  (['youngest', 'largest'] as const).flatMap((move) => [6, 12].map((roomMonths): Policy => ({ place, move, roomMonths }))),
)

describe.each([
  ['mail', mail],
  ['cases', { ...cases, maxGb: 400, maxRequests: 12_000 }],
])('the simulated growth of %s', (_, load) => {
  it.each(policies)('has no shard over its limit, and each office on one: $place, $move, $roomMonths', (policy) => {
    const { offices, shards, years } = grow(smaller, load, policy)
    expect(sum(years.map(({ moved }) => moved.offices))).toBeGreaterThan(0)
    expect(Math.max(...years.map(({ fill }) => fill.most))).toBeLessThanOrEqual(1)
    expect(shards.flatMap((shard) => [...shard.offices].map(({ id }) => id)).sort((one, other) => one - other)).toEqual(
      offices.map(({ id }) => id),
    )
    for (const shard of shards) {
      expect(shard.gb).toBeCloseTo(sum([...shard.offices].map(({ gb }) => gb)), 3)
      expect(shard.size).toBeCloseTo(sum([...shard.offices].map(({ size }) => size)), 3)
    }
  })
})

describe('simulated growth', () => {
  it('depends on its seed only', () => {
    const of = (seed: number) => grow({ ...smaller, seed }, mail, chosen).years
    expect(of(1)).toEqual(of(1))
    expect(of(1)).not.toEqual(of(2))
  })

  it('has the expected totals', () => {
    const { years } = grow({ ...smaller, sigma: 0 }, mail, chosen)
    const months = Array.from({ length: smaller.years * 12 }, (_, month) => officesAfter(smaller, month + 1))
    expect(years.at(-1)).toMatchObject({ offices: 10_000, year: 4 })
    expect(years.at(-1)?.tb).toBeCloseTo((sum(months) * mail.gbPerYear) / 12 / 1000, 6)
    expect([mail.gbPerYear.toFixed(2), cases.gbPerYear.toFixed(2)]).toEqual(['0.84', '0.13'])
  })

  it('has sizes with the mean 1, and some that are much larger', () => {
    const { offices } = grow(growth, mail, chosen)
    const sizes = offices.map(({ size }) => size)
    expect(sum(sizes) / sizes.length).toBeCloseTo(1, 1)
    expect(sizes.filter((size) => size > 10).length / sizes.length).toBeCloseTo(0.01, 2)
  })

  it('ends where an office is larger than a shard', () => {
    expect(() => grow(smaller, { ...mail, maxGb: 20 }, chosen)).toThrow('is larger than a shard')
  })

  it('matches the tables in the document', () => {
    const document = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
    for (const table of shardingTables().split('\n\n')) expect(document).toContain(table)
  })
})
