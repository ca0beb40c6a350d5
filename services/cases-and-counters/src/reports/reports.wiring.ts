import type { Id } from '@caseway/kit/caller'
import type { HasRight } from '@caseway/kit/http'
import type { Db } from '../database.js'
import { reportRepository } from './report.repository.js'
import { reportRoutes } from './report.routes.js'
import { reportService } from './report.service.js'

export interface Parts {
  readonly hasRight: HasRight
  readonly timeZoneOf: (customerId: Id) => Promise<string>
  readonly defaultTimeZone: string
}

/** What people did; `count` is for those who write what is reported. */
export function wireReports(db: Db, { defaultTimeZone, ...parts }: Parts) {
  const reports = reportRepository(db, defaultTimeZone)
  return { count: reports.count, routes: reportRoutes(reportService({ reports, ...parts })) }
}
