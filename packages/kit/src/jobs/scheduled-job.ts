import { handleJob, type JobHandler } from './handler.js'
import { defineJob } from './job.js'
import type { Run } from './run.js'
import { type Rule, schedule } from './schedule.js'

/** Work that nothing but its schedule asks for, on the platform: it is done once per tick over all copies, one run at a time. */
export function scheduledJob(name: string, rule: Rule, work: (run: Run<null>) => Promise<unknown>): JobHandler<unknown> {
  const job = defineJob({ name, key: () => name })
  return handleJob(job, work, { concurrency: 1, schedule: schedule(name, rule, job) })
}
