import { type Id, parseId } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import { action, answerPage, pageHeaders, pageParameters, type Routes } from '@caseway/kit/http'
import { type PageById, readPage } from '@caseway/kit/resource'
import Type, { type Static } from 'typebox'
import { type Period, readDays } from './period.js'
import { toWire } from './report.js'
import type { ReportService } from './report.service.js'

const subject = { name: 'Report', path: 'report', audience: 'expert' } as const

// Without a format, which would be validated before the other parameters: one answer names everything that is invalid.
const Day = (description: string) => Type.Optional(Type.String({ description }))

/** The query parameters for the days and the page of a report. */
export const listOfDays = {
  date_from: Day('The first day, YYYY-MM-DD; today by default.'),
  date_to: Day('The last day, YYYY-MM-DD; today by default.'),
  ...pageParameters,
}
const Days = Type.Object(listOfDays)

const Query = Type.Object({
  ...listOfDays,
  id: Type.Optional(Type.String({ description: 'Id of the user; by default all users.' })),
})

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
      const { id, days, page } = read(call.query)
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

function read({ id, ...list }: Static<typeof Query>): ListOfDays & { id: Id | undefined } {
  const userId = id === undefined ? undefined : parseId(id)
  return { ...readListOfDays(list, id !== undefined && userId === undefined ? { id: 'must be an id' } : {}), id: userId }
}

export interface ListOfDays {
  readonly days: Partial<Period>
  readonly page: PageById
}

/**
 * Reads the days and the page of a query.
 * @param wrong the texts for other invalid parameters
 * @throws AppError `invalid` with all invalid parameters
 */
export function readListOfDays(sent: Static<typeof Days>, wrong: Readonly<Record<string, string>> = {}): ListOfDays {
  const { days, wrong: wrongDays } = readDays(sent)
  const { page, wrong: wrongPage } = readPage(sent)
  const all = { ...wrong, ...wrongDays, ...wrongPage }
  if (Object.keys(all).length > 0) throw invalid(all)
  return { days, page }
}
