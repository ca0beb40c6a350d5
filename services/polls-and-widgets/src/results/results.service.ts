import type { Employee, Id } from '@caseway/kit/caller'
import { invalid, notFound } from '@caseway/kit/errors'
import type { PublishedPolls } from '../polls/published-poll.js'
import type { Period, PollCounts } from './poll-count.js'
import { type Results, resultsOf } from './results.js'

export interface Polls {
  find(caller: Employee, id: Id): Promise<object | null>
}

export interface ResultParts {
  readonly polls: Polls
  readonly published: Pick<PublishedPolls, 'versions'>
  readonly counts: Pick<PollCounts, 'read'>
}

export const resultsService = ({ polls, published, counts }: ResultParts) => ({
  /** The results of a poll in a period. @throws AppError `not-found`; `invalid` where the period ends before it begins */
  async read(caller: Employee, pollId: Id, period: Period): Promise<Results> {
    const { customerId } = caller
    const { dateFrom, dateTo } = period
    if (dateFrom !== undefined && dateTo !== undefined && dateTo < dateFrom) throw invalid({ date_to: 'must not be before date_from' })
    if (!(await polls.find(caller, pollId))) throw notFound()
    const [versions, counted] = await Promise.all([published.versions(customerId, pollId), counts.read({ customerId, pollId, ...period })])
    return resultsOf(versions, counted)
  },
})

export type ResultsService = ReturnType<typeof resultsService>
