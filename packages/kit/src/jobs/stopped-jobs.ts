import { CompiledQuery } from 'kysely'
import { type Database, platform } from '../database/index.js'
import { jobChannel } from './enqueue.js'

/** A job that has failed or is uncertain, and does not run again by itself. Its payload is left out, because it may be confidential. */
export interface StoppedJob {
  readonly id: bigint
  readonly job: string
  readonly state: 'failed' | 'uncertain'
  /** The office or client in whose scope the job runs; both are null for the platform. */
  readonly customerId: bigint | null
  readonly clientId: bigint | null
  readonly key: string | null
  readonly tries: number
  readonly since: Date
  readonly error: string
}

/** The jobs of a service that have stopped, oldest first, at most `limit`. */
export function listStoppedJobs(db: Database<unknown>, limit: number): Promise<StoppedJob[]> {
  const statement = `
    SELECT id, name AS job, state, customer_id AS "customerId", client_id AS "clientId", key, tries, stopped AS since, error FROM kit.job
    WHERE stopped IS NOT NULL ORDER BY stopped, id LIMIT $1`
  return db.query(platform, CompiledQuery.raw(statement, [limit]) as CompiledQuery<StoppedJob>)
}

/**
 * Enqueues all stopped jobs of one state again. Each becomes a new job, which has all of its tries and continues from the last checkpoint.
 * @returns how many
 */
export async function retryStoppedJobs(db: Database<unknown>, state: StoppedJob['state']): Promise<number> {
  const statement = `
    WITH stopped AS (DELETE FROM kit.job WHERE stopped IS NOT NULL AND state = $1 RETURNING *)
    INSERT INTO kit.job (name, customer_id, client_id, key, payload, priority, cursor, traceparent, due, run_at, state)
    SELECT name, customer_id, client_id, key, payload, priority, cursor, traceparent, now(), now(), 'ready' FROM stopped ORDER BY id
    RETURNING name`
  const jobs = await db.write(platform, () => db.query(platform, CompiledQuery.raw(statement, [state]) as CompiledQuery<{ name: string }>))
  for (const name of new Set(jobs.map(({ name }) => name))) db.notify(jobChannel, name)
  return jobs.length
}
