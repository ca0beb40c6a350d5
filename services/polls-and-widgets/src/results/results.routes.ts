import { date } from '@caseway/kit/fields'
import { action, parameter, plainBody, type Routes } from '@caseway/kit/http'
import Type from 'typebox'
import type { Results } from './results.js'
import type { ResultsService } from './results.service.js'

const Query = Type.Object({
  date_from: parameter(date, 'The first day, YYYY-MM-DD; without a bound by default.'),
  date_to: parameter(date, 'The last day, YYYY-MM-DD; without a bound by default.'),
})
const period = plainBody({ date_from: date, date_to: date })

const number = Type.String({ pattern: '^[0-9]+$' })
const text = Type.String()
const counted = (description: string) => Type.Optional(Type.Array(Type.Object({ value: text, answers: number }), { description }))
const Question = Type.Object({
  ...{ type: text, title: text, answers: number },
  options: counted('How many chose each option.'),
  histogram: counted('How many chose each step of the scale.'),
  mean: Type.Optional(Type.Union([text, Type.Null()], { description: 'The mean of the answers on the scale, with two decimal places.' })),
})
const PollResults = Type.Object({ PollResults: Type.Object({ answers: number, questions: Type.Array(Question) }) })

/** Numbers are strings, as in every record. */
const toWire = ({ answers, questions }: Results) => ({
  answers: String(answers),
  questions: questions.map(({ options, histogram, ...question }) => ({
    ...question,
    answers: String(question.answers),
    ...(options && { options: options.map(asTexts) }),
    ...(histogram && { histogram: histogram.map(asTexts) }),
  })),
})

const asTexts = ({ value, answers }: { value: string | number; answers: number }) => ({ value: String(value), answers: String(answers) })

const poll = { name: 'Poll', path: 'poll', audience: 'expert' } as const

export const resultsRoutes = (results: ResultsService): Routes =>
  action(
    poll,
    {
      ...{ method: 'GET', path: ':id/results', operationId: 'readPollResults', query: Query },
      summary: 'The results of all versions of a poll, for days in the time zone of the office.',
      answers: { 200: { description: 'The results.', ...PollResults } },
    },
    async ({ caller, id, query }) => ({ PollResults: toWire(await results.read(caller, id, period.read(query, 'UTC'))) }),
  )
