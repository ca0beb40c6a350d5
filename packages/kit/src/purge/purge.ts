import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { type Database, platform } from '../database/index.js'
import { type Running, runAsLeader } from '../events/index.js'
import type { Logger, Metrics } from '../observability/index.js'
import { type Chunk, defaultChunk, type PurgeRule, purgeStatement } from './purge-rule.js'

export interface PurgeOptions {
  db: Database<unknown>
  rules: readonly PurgeRule[]
  log: Logger
  metrics: Metrics
  /** Pause between two passes over all rules, in milliseconds. Default 60,000. */
  everyMs?: number
  /** Pause between two chunks, in milliseconds. Default 10. */
  pauseMs?: number
}

/** The advisory lock of the one copy that purges, in the service's own database. */
const purgeLock = 1801745507

const day = 86_400_000

const pauseUnless = (over: AbortSignal, ms: number) => pause(ms, undefined, { signal: over }).catch(() => undefined)

/** The kit's own tables, which every service has. */
export const eventTables: readonly PurgeRule[] = [
  // A relay deletes what it has published; one of an older build marks it instead.
  { table: 'kit.outbox', column: 'published_at', keepMs: 0 },
  { table: 'kit.inbox', column: 'created', keepMs: 30 * day },
  { table: 'kit.idempotency_key', column: 'created', keepMs: day },
  { table: 'kit.dead_letter', column: 'created', keepMs: 90 * day },
]

/**
 * Deletes what `rules` say, in one of all copies of a service: in chunks, each a short transaction of its own on a connection of the pool,
 * from the oldest row on. A rule that fails is logged, and tried again in the next pass; the others go on. `stop` ends it after the chunk
 * that is under way.
 */
export function startPurge({ db, rules, log, metrics, everyMs = 60_000, pauseMs = 10 }: PurgeOptions): Running {
  for (const { table, column } of rules) metrics.purgePasses.inc({ table, column, outcome: 'done' }, 0)

  const deleteChunk = async (rule: PurgeRule, last: unknown): Promise<Chunk> => {
    const values = [rule.keepMs, ...(last == null ? [] : [last])]
    const statement = CompiledQuery.raw(purgeStatement(rule, last != null), values) as CompiledQuery<Chunk>
    const [chunk] = await db.write(platform, () => db.query(platform, statement))
    return chunk as Chunk
  }

  const purge = async (rule: PurgeRule, over: AbortSignal) => {
    const { table, chunk = defaultChunk } = rule
    let last: unknown
    for (let deleted = chunk; deleted === chunk && !over.aborted; await pauseUnless(over, pauseMs)) {
      ;({ deleted, last } = await deleteChunk(rule, last))
      metrics.purgedRows.inc({ table }, deleted)
    }
  }

  return runAsLeader({ db, lock: purgeLock, name: 'the purge', log }, async (_connection, over) => {
    while (!over.aborted) {
      for (const rule of rules) {
        const outcome = await purge(rule, over).then(
          () => 'done',
          (err: unknown) => {
            log.warn({ err, table: rule.table }, 'expired rows could not be deleted')
            return 'failed'
          },
        )
        metrics.purgePasses.inc({ table: rule.table, column: rule.column, outcome })
      }
      await pauseUnless(over, everyMs)
    }
  })
}
