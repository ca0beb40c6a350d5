import { type Database, platform } from '../database/index.js'
import type { Logger, Metrics } from '../observability/index.js'
import { type Job, verdictOnLoss } from './job.js'
import type { JobRows } from './job-rows.js'
import { LeaseLost } from './run.js'

/** Ends the runs whose lease has expired, as `verdictOnLoss` says. Their workers can no longer write for these jobs. */
export async function sweep(
  db: Database<unknown>,
  rows: JobRows,
  jobs: ReadonlyMap<string, Job<never>>,
  { log, metrics }: { log: Logger; metrics: Metrics },
): Promise<void> {
  const one = () =>
    db.write(platform, async () => {
      const lapsed = await rows.lapsed([...jobs.keys()])
      const job = lapsed && jobs.get(lapsed.name)
      if (!job) return undefined
      const verdict = verdictOnLoss(job, lapsed)
      await rows.stop(lapsed, verdict, new LeaseLost())
      return { job: job.name, id: String(lapsed.id), state: verdict.state }
    })
  for (let swept = await one(); swept; swept = await one()) {
    log.warn(swept, 'the lease of a job has expired')
    metrics.jobRuns.inc({ job_name: swept.job, outcome: swept.state })
  }
}
