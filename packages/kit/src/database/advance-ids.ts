import { CompiledQuery } from 'kysely'
import { platform } from './scope.js'
import type { Database } from './types.js'

/** How many ids of each sequence one statement skips. */
const chunk = 10_000

/**
 * Advances every sequence by `count`, after a database was restored to an earlier state: other services may refer to lost records by ids that the
 * database would otherwise assign again.
 * @returns how many sequences were advanced
 */
export async function advanceIds(db: Database<unknown>, count: number): Promise<number> {
  const statement = `
    SELECT count(*)::int AS sequences FROM (
      SELECT max(nextval(pg_class.oid::regclass)) FROM pg_class, generate_series(1, $1::int)
      WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace GROUP BY pg_class.oid
    ) AS advanced`
  let sequences = 0
  for (let remaining = count; remaining > 0; remaining -= chunk) {
    const query = CompiledQuery.raw(statement, [Math.min(remaining, chunk)]) as CompiledQuery<{ sequences: number }>
    const [done] = await db.write(platform, () => db.query(platform, query))
    sequences = done?.sequences ?? 0
  }
  return sequences
}
