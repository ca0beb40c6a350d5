import { type Id, parseId } from '@caseway/kit/caller'
import { action, answerPage, linkHeader, type Routes } from '@caseway/kit/http'
import Type, { type Static } from 'typebox'
import { type ListOfDays, listOfDays, readListOfDays } from './list-of-days.js'
import { toWire } from './report.js'
import type { ReportService } from './report.service.js'

const subject = { name: 'Report', path: 'report', audience: 'expert' } as const

const Query = Type.Object({
  ...listOfDays,
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
      answers: { 200: { description: 'A page of the reports, or the one.', headers: linkHeader, anyOf: [Type.Array(One), One] } },
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
      summary: 'The seconds that the caller has worked today, whatever the id.',
      answers: { 200: { description: 'The seconds.', ...Worked } },
    },
    async ({ caller }) => ({ Report: { work_time: String(await reports.workedToday(caller)) } }),
  ),
]

function read({ id, ...list }: Static<typeof Query>): ListOfDays & { id: Id | undefined } {
  const userId = id === undefined ? undefined : parseId(id)
  return { ...readListOfDays(list, id !== undefined && userId === undefined ? { id: 'must be an id' } : {}), id: userId }
}
