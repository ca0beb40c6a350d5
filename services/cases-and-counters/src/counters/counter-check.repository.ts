import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import type { Db } from '../database.js'
import { type IssueCounter, issueCounters } from './issue-counter.js'

/** The difference of each wrong counter of an office; right ones are missing. */
export type Drift = Partial<Record<IssueCounter, number>>

export const counterCheckRepository = (db: Db) => ({
  /** The offices that were checked longest ago, among those that ever had a case. */
  oldest: (limit: number): Promise<Id[]> =>
    db.write(platform, async (tx) => {
      const rows = await tx.$queryRaw<{ id: Id }[]>`
        SELECT customer_id AS id FROM issue_numbers LEFT JOIN counter_checks USING (customer_id)
        ORDER BY checked NULLS FIRST, customer_id LIMIT ${limit}`
      return rows.map(({ id }) => id)
    }),

  /** Records the check of an office, and its result if it succeeded. */
  keep: (customerId: Id, drift?: Drift): Promise<void> =>
    db.write(platform, async (tx) => {
      await tx.$executeRaw`
        INSERT INTO counter_checks (customer_id, checked, drift) VALUES (${customerId}, now(), ${JSON.stringify(drift ?? {})}::jsonb)
        ON CONFLICT (customer_id) DO UPDATE SET checked = now(), drift = CASE WHEN ${drift !== undefined} THEN excluded.drift ELSE counter_checks.drift END`
    }),

  /** The differences of each counter, summed over the last checks of all offices. */
  drift: (): Promise<Map<IssueCounter, number>> =>
    db.write(platform, async (tx) => {
      const rows = await tx.$queryRaw<{ counter: IssueCounter; drift: number }[]>`
        SELECT key AS counter, sum(value::int)::int AS drift FROM counter_checks, jsonb_each_text(drift) GROUP BY key`
      const found = new Map(rows.map(({ counter, drift }) => [counter, drift]))
      return new Map(issueCounters.map((counter) => [counter, found.get(counter) ?? 0]))
    }),
})

export type CounterCheckRepository = ReturnType<typeof counterCheckRepository>
