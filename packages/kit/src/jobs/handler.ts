import type { Job } from './job.js'
import type { Run } from './run.js'
import type { Schedule } from './schedule.js'

/** A kind of job and the function that runs it, made by `handleJob`. */
export interface JobHandler<Client> {
  readonly job: Job<never>
  readonly work: (run: Run<never, Client>) => Promise<unknown>
  /** How many jobs of this kind run at the same time in one copy of the service. */
  readonly concurrency: number
  /** Enqueues jobs of this kind periodically. */
  readonly schedule?: Schedule | undefined
}

/**
 * The handler of one kind of job. A run of `work` that throws, or loses its lease, is repeated as the `retry` and `onLost` of the job say; the next run
 * reads the cursor of the last checkpoint. Effects of `work` outside of `checkpoint`, `pointOfNoReturn` and `finish` may happen several times.
 * @param options.concurrency how many jobs run at the same time in one copy of the service, at most half of them for one office. Default 4
 * @param options.schedule enqueues jobs of this kind periodically
 */
export const handleJob = <T, Client = unknown>(
  job: Job<T>,
  work: (run: Run<T, Client>) => Promise<unknown>,
  { concurrency = 4, schedule }: { concurrency?: number; schedule?: Schedule } = {},
): JobHandler<Client> => ({ job: job as Job<never>, work: work as JobHandler<Client>['work'], concurrency, schedule })
