import type { Id } from '@caseway/kit/caller'
import type { BatchStatement } from '@caseway/kit/database'
import { dayAt } from '@caseway/kit/fields'
import type { HasRight } from '@caseway/kit/http'
import type { Db } from '../database.js'
import { marginRepository } from './margin.repository.js'
import { marginRoutes } from './margin.routes.js'
import { marginService } from './margin.service.js'
import type { ReplyFact } from './reply-fact.js'
import { reportRepository } from './report.repository.js'
import { reportRoutes } from './report.routes.js'
import { reportService } from './report.service.js'

export interface Parts {
  readonly hasRight: HasRight
  readonly timeZoneOf: (customerId: Id) => Promise<string>
  readonly defaultTimeZone: string
}

/** The reports of employees and the margins of cases. Other modules use `count` and `countDays` in the transactions of the reported facts. */
export function wireReports(db: Db, { defaultTimeZone, ...parts }: Parts) {
  const reports = reportRepository(db)
  const margins = marginRepository(db, defaultTimeZone)
  return {
    count: async (fact: ReplyFact): Promise<BatchStatement> =>
      reports.count(fact, dayAt(new Date(), await parts.timeZoneOf(fact.customerId))),
    countDays: margins.countDays,
    routes: [reportRoutes(reportService({ reports, ...parts })), marginRoutes(marginService({ margins, ...parts }))],
  }
}
