import { parseId } from '@caseway/kit/caller'
import { date, idText } from '@caseway/kit/fields'
import { action, answerPage, pageHeaders, pageParameters, parameter, plainBody, type Routes } from '@caseway/kit/http'
import { type PageById, pageById, pageByIdFields } from '@caseway/kit/resource'
import Type from 'typebox'
import type { Period } from './period.js'
import { toWire } from './report.js'
import type { ReportService } from './report.service.js'

const subject = { name: 'Report', path: 'report', audience: 'expert' } as const

/** The query parameters for the days and the page of a report. */
export const listOfDays = {
  date_from: parameter(date, 'The first day, YYYY-MM-DD; today by default.'),
  date_to: parameter(date, 'The last day, YYYY-MM-DD; today by default.'),
  ...pageParameters,
}
const listReader = plainBody({ date_from: date, date_to: date, ...pageByIdFields })

const Query = Type.Object({ ...listOfDays, id: parameter(idText, 'Id of the user; by default all users.') })

const texts = [
  'id',
  'email',
  'firstname',
  'lastname',
  'issues',
  'sentences',
  'approved',
  'rejected',
  'corrected',
  'work_time',
  'work_time_extra',
]
const One = Type.Object({ Report: Type.Object(Object.fromEntries(texts.map((name) => [name, Type.String()]))) })
const Worked = Type.Object({ Report: Type.Object({ work_time: Type.String() }) })

/** Reports about the work of employees, by days of the office. */
export const reportRoutes = (reports: ReportService): Routes => [
  action(
    subject,
    {
      ...{ method: 'GET', path: '', operationId: 'readReports', query: Query },
      summary: 'A report for each user, or, with `id`, for one.',
      answers: { 200: { description: 'A page of reports, or with `id` one report.', headers: pageHeaders, anyOf: [Type.Array(One), One] } },
      errors: [404],
    },
    async (call) => {
      const { days, page } = readListOfDays(call.query)
      const id = parseId(call.query.id)
      if (id !== undefined) return { Report: toWire(await reports.get(call.caller, id, days)) }
      const found = await reports.list(call.caller, days, page)
      return answerPage(call, subject.path, found).map((report) => ({ Report: toWire(report) }))
    },
  ),
  action(
    subject,
    {
      ...{ method: 'GET', path: ':id', operationId: 'readWorkTimeOfToday' },
      summary: 'The seconds that the caller has worked today; the id is ignored.',
      answers: { 200: { description: 'The seconds.', ...Worked } },
    },
    async ({ caller }) => ({ Report: { work_time: String(await reports.workedToday(caller)) } }),
  ),
]

export interface ListOfDays {
  readonly days: Partial<Period>
  readonly page: PageById
}

/** Reads the days and the page of a query. */
export function readListOfDays(query: object): ListOfDays {
  const { dateFrom: from, dateTo: to, ...page } = listReader.read(query, 'UTC')
  return { days: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, page: pageById(page) }
}
