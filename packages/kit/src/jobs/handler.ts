import type { Job } from './job.js'
import type { Run } from './run.js'
import type { Schedule } from './schedule.js'

/** A kind of work and how it is done. */
export interface JobHandler<Client> {
  readonly job: Job<never>
  readonly work: (run: Run<never, Client>) => Promise<unknown>
  /** Jobs of this kind that run at the same time in one copy of the service. */
  readonly concurrency: number
  /** What enqueues jobs of this kind besides the service itself. */
  readonly schedule?: Schedule | undefined
}

/**
 * What a service does with jobs of one kind. `work` is repeated, from the last checkpoint on, until it has returned: what it does outside of
 * `checkpoint`, `pointOfNoReturn` and `finish` may happen several times.
 * @param options.concurrency jobs that run at the same time in one copy, half of them at most of one office. Default 4
 */
export const handleJob = <T, Client = unknown>(
  job: Job<T>,
  work: (run: Run<T, Client>) => Promise<unknown>,
  { concurrency = 4, schedule }: { concurrency?: number; schedule?: Schedule } = {},
): JobHandler<Client> => ({ job: job as Job<never>, work: work as JobHandler<Client>['work'], concurrency, schedule })
