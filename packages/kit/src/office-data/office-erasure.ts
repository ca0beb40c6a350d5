import { officeTopics } from '@caseway/protos/topics'
import { CompiledQuery } from 'kysely'
import type { Id } from '../caller/index.js'
import { type Database, platform } from '../database/index.js'
import { type RawTransaction, topicRetentionMs } from '../events/index.js'
import { defineJob, enqueue, handleJob, type JobHandler, type Run } from '../jobs/index.js'
import type { Logger } from '../observability/index.js'
import type { Tables } from '../tables/index.js'
import { type OfficeRows, officeRowsOf } from './office-rows.js'

interface Payload {
  readonly customerId: string
}

const dayMs = 86_400_000

/** The most rows of one transaction. Each deletion may cascade to other tables (ON DELETE CASCADE). */
const chunk = 500

const job = defineJob<Payload>({ name: 'office-erasure', key: ({ customerId }) => customerId })

/**
 * Enqueues the erasure of an office in the transaction that deletes it. The erasure runs at once, and again when the retention of the topics has ended: a
 * consumer that lagged behind may have stored events of the office after the first run.
 */
export async function enqueueErasure(tx: RawTransaction, customerId: Id): Promise<void> {
  const payload = { customerId: String(customerId) }
  await enqueue(tx, job, payload)
  await enqueue(tx, job, payload, { delayMs: topicRetentionMs + dayMs })
}

interface ErasureOptions {
  readonly db: Database<unknown>
  readonly tables: Tables
  readonly log: Logger
}

/** The rows of an office in the tables of the kit: its jobs, and the dead letters of its events. */
const kitRows: readonly OfficeRows[] = [
  { table: 'kit.job', where: 'customer_id = $1' },
  { table: 'kit.dead_letter', where: `key = $1::text AND topic IN (${officeTopics.map(({ name }) => `'${name}'`).join(', ')})` },
]

/** The job that deletes all rows of an office in the database of a service, in short transactions. It waits for locked rows. */
export function officeErasure({ db, tables, log }: ErasureOptions): JobHandler<unknown> {
  const officeRows = [...kitRows, ...officeRowsOf(tables)]

  const deleteAll = async (rows: OfficeRows, customerId: Id, run: Run<Payload>): Promise<number> => {
    let deleted = 0
    for (let found = chunk; found === chunk; deleted += found) {
      run.signal.throwIfAborted()
      found = await run.checkpoint(null, () => deleteSome(db, rows, customerId))
    }
    return deleted
  }

  return handleJob(
    job,
    async (run) => {
      const customerId = BigInt(run.payload.customerId)
      let deleted = 0
      // Repeated until nothing is found: a trigger, or a concurrent transaction, may have written to tables that were emptied before.
      for (let found = -1; found !== 0; deleted += found) {
        found = 0
        for (const rows of officeRows) found += await deleteAll(rows, customerId, run)
      }
      log.info({ office: String(customerId), rows: deleted }, 'the data of an office are deleted')
    },
    { concurrency: 1 },
  )
}

async function deleteSome(db: Database<unknown>, { table, where }: OfficeRows, customerId: Id): Promise<number> {
  const statement = `
    WITH found AS MATERIALIZED (SELECT ctid FROM ${table} WHERE ${where} LIMIT ${chunk}),
      deleted AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM found)))
    SELECT count(*)::int AS found FROM found`
  const [counted] = await db.query(platform, CompiledQuery.raw(statement, [String(customerId)]) as CompiledQuery<{ found: number }>)
  return counted?.found ?? 0
}
