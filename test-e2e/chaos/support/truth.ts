import { registry, serviceNames } from '@caseway/registry'
import { eventually } from '@caseway/testing'
import { expect } from '@jest/globals'
import { allCases, countersOf, recount } from '../../support/cases.js'
import { rowsOf } from '../../support/databases.js'
import type { SignedIn } from '../../support/people.js'

/** Resolves when everything published was handled: the outboxes are empty, there are no dead letters, and the copies equal the data of auth. */
export const expectSettled = (home: string, withinMs = 30_000) =>
  eventually(
    async () => {
      for (const service of serviceNames) {
        expect(await rowsOf(home, service, 'SELECT topic FROM kit.outbox WHERE published_at IS NULL LIMIT 1')).toEqual([])
        expect(await rowsOf(home, service, 'SELECT topic, error FROM kit.dead_letter')).toEqual([])
      }
      const people = (service: string, revision: string) =>
        rowsOf(home, service, `SELECT id::text, customer_id::text, active, ${revision}::text AS revision FROM users ORDER BY users.id`)
      expect(await people(registry.casesAndCounters.name, 'revision')).toEqual(await people('auth', 'version'))
    },
    { timeoutMs: withinMs, everyMs: 200 },
  )

/** Checks that every counter equals a recount of the cases. */
export async function expectCounted(people: readonly SignedIn[]): Promise<void> {
  const [first] = people
  if (!first) throw new Error('Nobody looks.')
  const cases = await allCases(first.api)
  for (const { id, api } of people) expect(await countersOf(api)).toEqual(recount(cases, id))
}

/** How often each subject with a prefix exists. */
export async function casesLike(home: string, prefix: string): Promise<Map<string, number>> {
  const sql = `SELECT subject, count(*)::int AS times FROM issues WHERE subject LIKE '${prefix}%' GROUP BY subject`
  const rows = await rowsOf<{ subject: string; times: number }>(home, registry.casesAndCounters.name, sql)
  return new Map(rows.map(({ subject, times }) => [subject, times]))
}
