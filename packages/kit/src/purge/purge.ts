import { CompiledQuery } from 'kysely'
import { type Database, platform } from '../database/index.js'
import { type JobHandler, LeaseLost, type Rule, type Run, scheduledJob } from '../jobs/index.js'
import type { Logger, Metrics } from '../observability/index.js'
import { type Chunk, defaultChunk, type PurgeRule, purgeStatement } from './purge-rule.js'

export interface PurgeOptions {
  db: Database<unknown>
  rules: readonly PurgeRule[]
  log: Logger
  metrics: Metrics
  /** The name of the job. Default `purge`. */
  name?: string
  /** The schedule of the job. Default every 60,000 ms. */
  when?: Rule
}

const dayMs = 86_400_000

/** The rules of the kit's own tables, which every service has. */
export const kitTables: readonly PurgeRule[] = [
  // The relay deletes published events; that of an older build sets `published_at` instead.
  { table: 'kit.outbox', column: 'published_at', keepMs: 0 },
  { table: 'kit.inbox', column: 'created', keepMs: 30 * dayMs },
  { table: 'kit.idempotency_key', column: 'created', keepMs: dayMs },
  { table: 'kit.dead_letter', column: 'created', keepMs: 90 * dayMs },
  { table: 'kit.rate_limit', column: 'expire', unit: 'epoch-ms', keepMs: 0 },
  // `finished` is set on jobs that are done, and `stopped` on those that failed or are uncertain.
  { table: 'kit.job', column: 'finished', keepMs: dayMs },
  { table: 'kit.job', column: 'stopped', keepMs: 90 * dayMs },
]

/**
 * The scheduled job that deletes the expired rows of `rules`, from the oldest on, in chunks with a transaction each. A rule that fails is logged, and retried
 * by the next run; the others are not affected. An interrupted run is resumed with the rule at which it stopped.
 */
export function purge({ db, rules, log, metrics, name = 'purge', when = { every: 60_000 } }: PurgeOptions): JobHandler<unknown> {
  for (const { table, column } of rules) metrics.purgePasses.inc({ table, column, outcome: 'done' }, 0)

  const deleteExpired = async (rule: PurgeRule, place: number, run: Run<null>) => {
    const { table, chunk = defaultChunk } = rule
    let last: unknown
    for (let deleted = chunk; deleted === chunk; ) {
      run.signal.throwIfAborted()
      const values = [rule.keepMs, ...(last == null ? [] : [last])]
      const statement = CompiledQuery.raw(purgeStatement(rule, last != null), values) as CompiledQuery<Chunk>
      const [done] = await run.checkpoint(place, () => db.query(platform, statement))
      ;({ deleted, last } = done as Chunk)
      metrics.purgedRows.inc({ table }, deleted)
    }
  }

  return scheduledJob(name, when, async (run) => {
    for (const [place, rule] of rules.entries()) {
      if (place < Number(run.cursor)) continue
      const { table, column } = rule
      try {
        await deleteExpired(rule, place, run)
        metrics.purgePasses.inc({ table, column, outcome: 'done' })
      } catch (err) {
        if (run.signal.aborted || err instanceof LeaseLost) throw err
        log.warn({ err, table }, 'expired rows could not be deleted')
        metrics.purgePasses.inc({ table, column, outcome: 'failed' })
      }
    }
  })
}
