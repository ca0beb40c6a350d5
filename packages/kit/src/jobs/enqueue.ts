import type { RawTransaction } from '../events/index.js'
import { requestContext } from '../observability/index.js'
import type { Job } from './job.js'

/** The NOTIFY channel on which workers receive the names of the kinds of jobs that were enqueued. */
export const jobChannel = 'kit_job'

export interface EnqueueOptions {
  /** The job does not run before this time. Default at once. */
  runAt?: Date
  /** The job does not run before this many milliseconds have passed, by the clock of the database. Without effect beside `runAt`. Default 0. */
  delayMs?: number
  /** From -32768 to 32767: among the jobs of one office, those with a higher priority run first. Default 0. */
  priority?: number
  /**
   * While a job of this kind with the same text has not begun, no second one is created. The existing job keeps its payload, gets the earlier time and the
   * higher priority of both, and does not begin before this transaction has ended, so that it sees what the transaction has written.
   */
  dedupe?: string
}

/**
 * Enqueues a job in the transaction `tx` of `db.write`: it exists only if the transaction commits. The job runs in the scope of that transaction, and belongs
 * to the trace of the running request.
 * @param payload in the types of JSON
 */
export const enqueue = <T>(tx: RawTransaction, job: Job<T>, payload: T, options: EnqueueOptions = {}): Promise<void> =>
  enqueueAll(tx, job, [{ payload, ...options }])

/** As `enqueue`, for several jobs in one statement. No two of them may have the same `dedupe`. */
export async function enqueueAll<T>(
  tx: RawTransaction,
  job: Job<T>,
  jobs: readonly (EnqueueOptions & { readonly payload: T })[],
): Promise<void> {
  if (jobs.length === 0) return
  const { traceparent = null } = requestContext.get() ?? {}
  tx.$notify(jobChannel, job.name)
  // Sorted by `dedupe`, so that transactions which enqueue the same jobs lock them in the same order and cannot deadlock.
  await tx.$executeRaw`
    INSERT INTO kit.job (name, customer_id, client_id, key, dedupe, payload, priority, traceparent, due, run_at, state)
    SELECT ${job.name}, nullif(current_setting('app.customer_id', true), '')::bigint, nullif(current_setting('app.client_id', true), '')::bigint,
      key, dedupe, payload, priority, ${traceparent}, due, due, CASE WHEN due <= now() THEN 'ready' ELSE 'waiting' END
    FROM (
      SELECT key, dedupe, payload::jsonb, priority, coalesce(run_at, now() + delay_ms * interval '1 millisecond') AS due
      FROM unnest(
        ${jobs.map(({ payload }) => job.key?.(payload) ?? null)}::text[], ${jobs.map(({ dedupe = null }) => dedupe)}::text[],
        ${jobs.map(({ payload }) => JSON.stringify(payload))}::text[], ${jobs.map(({ priority = 0 }) => priority)}::smallint[],
        ${jobs.map(({ runAt = null }) => runAt)}::timestamptz[], ${jobs.map(({ delayMs = 0 }) => delayMs)}::float8[]
      ) WITH ORDINALITY AS jobs (key, dedupe, payload, priority, run_at, delay_ms, nth)
      ORDER BY dedupe, nth
    ) AS jobs
    ON CONFLICT (name, dedupe) WHERE dedupe IS NOT NULL DO UPDATE SET
      due = least(job.due, excluded.due), run_at = least(job.run_at, excluded.run_at), priority = greatest(job.priority, excluded.priority),
      state = CASE WHEN job.state = 'waiting' THEN excluded.state ELSE job.state END`
}
