import { type JobHandler, scheduledJob } from '@caseway/kit/jobs'
import type { WorkTimeRepository } from './work-time.repository.js'

/** A timer that runs for the longest time was forgotten: it ends there, and says so. */
export const forgottenTimers = (workTimes: Pick<WorkTimeRepository, 'stopForgotten'>): JobHandler<unknown> =>
  scheduledJob('stop-forgotten-timers', { every: 60_000 }, (run) => run.finish(() => workTimes.stopForgotten()))
