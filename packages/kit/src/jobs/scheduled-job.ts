import { handleJob, type JobHandler } from './handler.js'
import { defineJob } from './job.js'
import type { Run } from './run.js'
import { type Rule, schedule } from './schedule.js'

/**
 * The handler of a job that only its schedule enqueues, in the scope of the platform: it runs once per tick over all copies, one run at a time.
 * @param name of the job and of the schedule
 * @throws Error when the cron expression or the zone of `rule` is not valid
 */
export function scheduledJob(name: string, rule: Rule, work: (run: Run<null>) => Promise<unknown>): JobHandler<unknown> {
  const job = defineJob({ name, key: () => name })
  return handleJob(job, work, { concurrency: 1, schedule: schedule(name, rule, job) })
}
