import { experts } from '@caseway/kit/caller'
import { action, answerPage, pageHeaders, type Routes } from '@caseway/kit/http'
import Type from 'typebox'
import { marginToWire } from './margin.js'
import type { MarginService } from './margin.service.js'
import { listOfDays, readListOfDays } from './report.routes.js'

const text = Type.String()
const textOrNull = Type.Union([Type.String(), Type.Null()])
const figures = {
  ...{ issue_id: text, number: text, subject: text, issue_payment_offer_id: textOrNull, amount: textOrNull },
  ...{ planned: textOrNull, spent: text, left: textOrNull, effective_hourly_rate: textOrNull },
}
const One = Type.Object({ Margin: Type.Object(figures) })
const InPeriod = Type.Object({ Margin: Type.Object({ ...figures, spent_in_period: text }) })

/** Margins: the price of cases compared with the work for them. */
export const marginRoutes = (margins: MarginService): Routes => [
  action(
    { name: 'Margin', path: 'issue', audience: 'expert' },
    {
      ...{ method: 'GET', path: ':id/margin', operationId: 'readMarginOfIssue', roles: experts },
      summary: 'Compares the chosen offer of a case with the work that was recorded for it.',
      answers: { 200: { description: 'Times in seconds.', ...One } },
    },
    async ({ caller, id }) => ({ Margin: marginToWire(await margins.ofCase(caller, id)) }),
  ),
  action(
    { name: 'Margin', path: 'report', audience: 'expert' },
    {
      ...{ method: 'GET', path: 'margin', operationId: 'readMargins', roles: experts, query: Type.Object(listOfDays) },
      summary: 'The margins of the cases for which work was recorded on these days.',
      answers: { 200: { description: 'A page, ordered by the ids of the cases.', headers: pageHeaders, ...Type.Array(InPeriod) } },
    },
    async (call) => {
      const { days, page } = readListOfDays(call.query)
      const found = await margins.ofPeriod(call.caller, days, page)
      return answerPage(call, 'report/margin', found).map((margin) => ({
        Margin: { ...marginToWire(margin), spent_in_period: margin.spentInPeriod },
      }))
    },
  ),
]
