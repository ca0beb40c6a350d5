import { invalid } from '@caseway/kit/errors'
import { dayAt } from '@caseway/kit/fields'

/** Days of the office, `YYYY-MM-DD`, both included. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** A missing day is the present day of the office. @throws AppError `invalid` when the period ends before it begins */
export function periodOf(wanted: Partial<Period>, zone: string): Period {
  const today = dayAt(new Date(), zone)
  const period = { from: wanted.from ?? today, to: wanted.to ?? today }
  if (period.to < period.from)
    throw invalid(wanted.to === undefined ? { date_from: 'must not be in the future' } : { date_to: 'must not be before date_from' })
  return period
}
