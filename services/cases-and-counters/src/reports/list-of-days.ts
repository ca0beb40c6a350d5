import { invalid } from '@caseway/kit/errors'
import { pageParameters } from '@caseway/kit/http'
import { type PageById, readPage } from '@caseway/kit/resource'
import Type, { type Static } from 'typebox'
import { type Period, readDays } from './period.js'

// Without a format, which would be checked before the other parameters are read: everything that is wrong is named at once.
const Day = (description: string) => Type.Optional(Type.String({ description }))

/** The days and the page of a report, in a query. */
export const listOfDays = {
  date_from: Day('The first day, YYYY-MM-DD; today unless it is given.'),
  date_to: Day('The last day, YYYY-MM-DD; today unless it is given.'),
  ...pageParameters,
}
const Query = Type.Object(listOfDays)

export interface ListOfDays {
  readonly days: Partial<Period>
  readonly page: PageById
}

/**
 * @param wrong what is wrong with other parameters
 * @throws AppError `invalid` with every wrong parameter
 */
export function readListOfDays(sent: Static<typeof Query>, wrong: Readonly<Record<string, string>> = {}): ListOfDays {
  const { days, wrong: wrongDays } = readDays(sent)
  const { page, wrong: wrongPage } = readPage(sent)
  const all = { ...wrong, ...wrongDays, ...wrongPage }
  if (Object.keys(all).length > 0) throw invalid(all)
  return { days, page }
}
