import type { Employee, Id } from '@caseway/kit/caller'
import { forbidden, notFound } from '@caseway/kit/errors'
import { dayEnd, dayStart } from '@caseway/kit/fields'
import type { HasRight } from '@caseway/kit/http'
import { type Page, type PageById, pageOf } from '@caseway/kit/resource'
import { type Period, periodOf } from './period.js'
import type { Report } from './report.js'
import type { ReportRepository } from './report.repository.js'

export interface ReportParts {
  readonly reports: ReportRepository
  readonly hasRight: HasRight
  readonly timeZoneOf: (customerId: Id) => Promise<string>
}

/** The right to see the reports of colleagues; without it people see their own. */
const everybodysRight = 'reports.all'

/** A page for one person. */
const first: PageById = { limit: 1, after: null, count: false }

export const reportService = ({ reports, hasRight, timeZoneOf }: ReportParts) => {
  const queryOf = async ({ customerId }: Employee, wanted: Partial<Period>, userId: Id | null, page = first) => {
    const zone = await timeZoneOf(customerId)
    const period = periodOf(wanted, zone)
    return { customerId, userId, ...period, since: dayStart(period.from, zone), until: dayEnd(period.to, zone), ...page }
  }

  const read = async (...of: Parameters<typeof queryOf>): Promise<Report[]> => reports.read(await queryOf(...of))

  return {
    async list(caller: Employee, wanted: Partial<Period>, page: PageById): Promise<Page<Report>> {
      const list = await queryOf(caller, wanted, (await hasRight(caller, everybodysRight)) ? null : caller.userId, page)
      const found = pageOf(await reports.read(list), page.limit, ({ id }) => id)
      return page.count ? { ...found, total: await reports.total(list) } : found
    },

    /** The report of one person. @throws AppError `forbidden` for a colleague without the right `reports.all`; `not-found` */
    async get(caller: Employee, userId: Id, wanted: Partial<Period>): Promise<Report> {
      if (userId !== caller.userId && !(await hasRight(caller, everybodysRight))) throw forbidden()
      const [report] = await read(caller, wanted, userId)
      if (!report) throw notFound()
      return report
    },

    /** The seconds that the caller has worked today, including a running timer. */
    async workedToday(caller: Employee): Promise<number> {
      const [report] = await read(caller, {}, caller.userId)
      return report?.workTime ?? 0
    },
  }
}

export type ReportService = ReturnType<typeof reportService>
