import { CompiledQuery } from 'kysely'
import { platform } from './scope.js'
import type { Database } from './types.js'

/** Ids of one statement. */
const chunk = 10_000

/**
 * Leaves out the next `count` ids of every table, for a database that was restored to an earlier state: other services name records that it has lost by
 * ids that it would give once more.
 * @returns how many sequences there are
 */
export async function advanceIds(db: Database<unknown>, count: number): Promise<number> {
  const statement = `
    SELECT count(*)::int AS sequences FROM (
      SELECT max(nextval(pg_class.oid::regclass)) FROM pg_class, generate_series(1, $1::int)
      WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace GROUP BY pg_class.oid
    ) AS advanced`
  let sequences = 0
  for (let left = count; left > 0; left -= chunk) {
    const query = CompiledQuery.raw(statement, [Math.min(left, chunk)]) as CompiledQuery<{ sequences: number }>
    const [done] = await db.write(platform, () => db.query(platform, query))
    sequences = done?.sequences ?? 0
  }
  return sequences
}
