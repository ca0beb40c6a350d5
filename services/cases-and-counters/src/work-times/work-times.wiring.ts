import { type Referable, references } from '@caseway/kit/database'
import { resourceRoutes } from '@caseway/kit/http'
import type { Db } from '../database.js'
import { forgottenTimers } from './forgotten-timers.job.js'
import { timerRoutes } from './timer.routes.js'
import { type CountDays, workTimeRepository } from './work-time.repository.js'
import { workTimeResource } from './work-time.resource.js'
import { workTimeService } from './work-time.service.js'

export function wireWorkTimes(db: Db, issues: Referable, countDays: CountDays) {
  const workTimes = workTimeService(workTimeRepository(db, references({ issue_id: issues }), countDays))
  return { routes: [resourceRoutes(workTimeResource, workTimes), timerRoutes(workTimes)], job: forgottenTimers(workTimes) }
}
