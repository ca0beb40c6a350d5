import { type JobHandler, scheduledJob } from '@caseway/kit/jobs'
import type { WorkTimeRepository } from './work-time.repository.js'

const forgottenHours = 12

/** A timer that runs for twelve hours was forgotten: it ends there, and says so. */
export const forgottenTimers = (workTimes: Pick<WorkTimeRepository, 'stopForgotten'>): JobHandler<unknown> =>
  scheduledJob('stop-forgotten-timers', { every: 60_000 }, (run) => run.finish(() => workTimes.stopForgotten(forgottenHours)))
