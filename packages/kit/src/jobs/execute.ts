import type { Database } from '../database/index.js'
import { type Logger, type Metrics, requestContext } from '../observability/index.js'
import type { JobHandler } from './handler.js'
import type { ClaimedJob, JobRows } from './job-rows.js'
import { LeaseLost, openRun } from './run.js'

export interface Execution<Client> {
  readonly db: Database<Client>
  readonly rows: JobRows
  readonly log: Logger
  readonly metrics: Metrics
}

/** The two reasons to abort a run: its lease was lost, or the worker stops. */
export interface Aborts {
  readonly lost: AbortSignal
  readonly stopped: AbortSignal
}

/**
 * Runs a claimed job, and records the outcome in its row and in the metrics. Never rejects.
 * @returns whether a job may have become ready, or due later, by its end: this one again, or the next one of its key
 */
export async function execute<Client>(
  { db, rows, log, metrics }: Execution<Client>,
  { job, work }: JobHandler<Client>,
  claimed: ClaimedJob,
  { lost, stopped }: Aborts,
): Promise<boolean> {
  const run = openRun<never, Client>({ db, rows, job, claimed, signal: AbortSignal.any([lost, stopped]) })
  const about = { job: job.name, id: String(claimed.id) }
  const context = {
    requestId: `job-${claimed.id}-${claimed.fence}`,
    deadline: Number.POSITIVE_INFINITY,
    traceparent: claimed.traceparent ?? undefined,
  }
  const attempt = async () => {
    try {
      await work(run)
      if (!run.outcome) await run.finish()
    } catch (err) {
      if (run.outcome) return log.warn({ err, ...about }, 'the work of a job failed after its outcome was stored')
      if (err instanceof LeaseLost) throw err
      log.warn({ err, ...about, tries: claimed.tries }, 'a job failed')
      await run.abandon(err, stopped.aborted)
    }
  }
  try {
    await requestContext.run(context, attempt)
    if (run.outcome === 'failed' || run.outcome === 'uncertain') log.error({ ...about }, `a job is ${run.outcome}`)
    metrics.jobRuns.inc({ job_name: job.name, outcome: run.outcome ?? 'lost' })
  } catch (err) {
    // Another worker has claimed the job, or `sweep` decides about it when its lease has expired.
    log.warn({ err, ...about }, 'the outcome of a job could not be stored')
    metrics.jobRuns.inc({ job_name: job.name, outcome: 'lost' })
  }
  return run.outcome !== 'finished' || run.released
}
