import { invalid } from '@caseway/kit/errors'

/** When somebody worked; `ended` is null while their timer runs. */
export interface Interval {
  readonly started: Date
  readonly ended: Date | null
}

const longestHours = 24

/** How long a timer runs that nobody stops. */
export const longestTimerHours = 12

/**
 * Validates an interval that was entered by hand, or the result of a change, and rounds it down to whole seconds, as it is stored and shown. A running timer
 * keeps running where no end is sent. An unchanged interval is not validated: a timer may have ended in the second in which it started.
 * @throws AppError `invalid` with a text for each invalid field
 */
export function entered<Entered extends Interval>(sent: Entered, before: Interval | null, now: Date): Entered {
  const interval = { ...sent, started: wholeSeconds(sent.started), ended: sent.ended && wholeSeconds(sent.ended) }
  if (before && isSame(interval, before)) return interval
  const problems = { ...startProblem(interval, before, now), ...endProblem(interval, before, now) }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return interval
}

const wholeSeconds = (time: Date) => new Date(Math.floor(time.getTime() / 1000) * 1000)

const isSame = (one: Interval, other: Interval) =>
  one.started.getTime() === other.started.getTime() && one.ended?.getTime() === other.ended?.getTime()

const hours = (count: number) => count * 3_600_000

function startProblem({ started, ended }: Interval, before: Interval | null, now: Date) {
  if (started > now) return { started: 'must not be in the future' }
  const isRunning = ended === null && before?.ended === null
  const tooLong = isRunning && now.getTime() - started.getTime() > hours(longestTimerHours)
  return tooLong && { started: `must be at most ${longestTimerHours} hours ago` }
}

function endProblem({ started, ended }: Interval, before: Interval | null, now: Date) {
  if (ended === null) return before?.ended !== null && { ended: 'is required' }
  if (ended > now) return { ended: 'must not be in the future' }
  if (ended <= started) return { ended: 'must be later than started' }
  const tooLong = ended.getTime() - started.getTime() > hours(longestHours)
  return tooLong && { ended: `must be at most ${longestHours} hours after started` }
}
