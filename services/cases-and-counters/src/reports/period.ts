import { invalid } from '@caseway/kit/errors'
import { date, FieldError, timestamp } from '@caseway/kit/fields'

/** Days of the office, `YYYY-MM-DD`, both included. */
export interface Period {
  readonly from: string
  readonly to: string
}

interface Sent {
  readonly date_from?: string
  readonly date_to?: string
}

/** Reads the days of a query, with a text for each invalid parameter. */
export function readDays({ date_from, date_to }: Sent): { days: Partial<Period>; wrong: Record<string, string> } {
  const wrong: Record<string, string> = {}
  const dayOf = (name: string, sent: string | undefined) => {
    const day = sent === undefined ? undefined : date.decode(sent, 'UTC')
    if (day instanceof FieldError) wrong[name] = day.text
    return day instanceof FieldError ? undefined : day
  }
  const [from, to] = [dayOf('date_from', date_from), dayOf('date_to', date_to)]
  return { days: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, wrong }
}

/** A missing day is the present day of the office. @throws AppError `invalid` when the period ends before it begins */
export function periodOf(wanted: Partial<Period>, zone: string): Period {
  const today = String(timestamp.encode(new Date(), zone)).slice(0, 10)
  const period = { from: wanted.from ?? today, to: wanted.to ?? today }
  if (period.to < period.from)
    throw invalid(wanted.to === undefined ? { date_from: 'must not be in the future' } : { date_to: 'must not be before date_from' })
  return period
}
