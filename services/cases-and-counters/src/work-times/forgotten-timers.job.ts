import { type JobHandler, scheduledJob } from '@caseway/kit/jobs'
import type { WorkTimeRepository } from './work-time.repository.js'

/** Ends timers that have run for the maximum time, and marks them as forgotten. */
export const forgottenTimers = (workTimes: Pick<WorkTimeRepository, 'stopForgotten'>): JobHandler<unknown> =>
  scheduledJob('stop-forgotten-timers', { every: 60_000 }, (run) => run.finish(() => workTimes.stopForgotten()))
