import { type Id, parseId } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import { action, type Routes } from '@caseway/kit/http'
import Type, { type Static } from 'typebox'
import { type Period, readDays } from './period.js'
import { toWire } from './report.js'
import type { ReportService } from './report.service.js'

const subject = { name: 'Report', path: 'report', audience: 'expert' } as const

const Day = (description: string) => Type.Optional(Type.String({ format: 'date', description }))
/** The days of a report, in a query. */
export const days = {
  date_from: Day('The first day; today unless it is given.'),
  date_to: Day('The last day; today unless it is given.'),
}
const Query = Type.Object({
  ...days,
  id: Type.Optional(Type.String({ description: 'The one user whose report is asked for.' })),
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

/** What people did, counted by days of the office. */
export const reportRoutes = (reports: ReportService): Routes => [
  action(
    subject,
    {
      ...{ method: 'GET', path: '', operationId: 'readReports', query: Query },
      summary: 'A report per user, or with `id` that of one.',
      answers: { 200: { description: 'The reports, or the one.', anyOf: [Type.Array(One), One] } },
      errors: [404],
    },
    async ({ caller, query }) => {
      const { id, ...period } = read(query)
      if (id !== undefined) return { Report: toWire(await reports.get(caller, id, period)) }
      return (await reports.list(caller, period)).map((report) => ({ Report: toWire(report) }))
    },
  ),
  action(
    subject,
    {
      ...{ method: 'GET', path: ':id', operationId: 'readWorkTimeOfToday' },
      summary: 'The seconds that the caller has worked today, whatever the id.',
      answers: { 200: { description: 'The seconds.', ...Worked } },
    },
    async ({ caller }) => ({ Report: { work_time: String(await reports.workedToday(caller)) } }),
  ),
]

function read({ id, ...days }: Static<typeof Query>): Partial<Period> & { id?: Id } {
  const { days: period, wrong } = readDays(days)
  const userId = id === undefined ? undefined : parseId(id)
  if (id !== undefined && userId === undefined) wrong.id = 'must be an id'
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
  return { ...period, ...(userId !== undefined && { id: userId }) }
}
