import { invalid } from '@caseway/kit/errors'

/** The time of some work; `ended` is null while the timer runs. */
export interface Interval {
  readonly started: Date
  readonly ended: Date | null
}

const longestHours = 24

/** The maximum time of a timer, in hours. */
export const longestTimerHours = 12

/**
 * Validates an interval that was entered by hand, or that results from a change, and rounds it down to whole seconds, as it is stored and shown. A running
 * timer keeps running if no end is sent. An unchanged interval is not validated: a timer may have ended in the second in which it started.
 * @throws AppError `invalid` with a text for each invalid field
 */
export function entered<Entered extends Interval>(sent: Entered, before: Interval | null, now: Date): Entered {
  const interval = { ...sent, started: wholeSeconds(sent.started), ended: sent.ended && wholeSeconds(sent.ended) }
  const problems = timeProblems(interval, before, now)
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return interval
}

/** A text for each of the times of an interval that is wrong, as far as they are known. */
export function timeProblems(times: Partial<Interval>, before: Interval | null, now: Date): Record<string, string> {
  if (before && isSame(times, before)) return {}
  return { ...startProblem(times, before, now), ...endProblem(times, before, now) }
}

const wholeSeconds = (time: Date) => new Date(Math.floor(time.getTime() / 1000) * 1000)

const isSame = (one: Partial<Interval>, other: Interval) =>
  one.started?.getTime() === other.started.getTime() && one.ended?.getTime() === other.ended?.getTime()

const hours = (count: number) => count * 3_600_000

function startProblem({ started, ended }: Partial<Interval>, before: Interval | null, now: Date) {
  if (started === undefined) return undefined
  if (started > now) return { started: 'must not be in the future' }
  const isRunning = ended === null && before?.ended === null
  const tooLong = isRunning && now.getTime() - started.getTime() > hours(longestTimerHours)
  return tooLong && { started: `must be at most ${longestTimerHours} hours ago` }
}

function endProblem({ started, ended }: Partial<Interval>, before: Interval | null, now: Date) {
  if (ended === undefined) return undefined
  if (ended === null) return before?.ended !== null && { ended: 'is required' }
  if (ended > now) return { ended: 'must not be in the future' }
  if (started === undefined) return undefined
  if (ended <= started) return { ended: 'must be later than started' }
  const tooLong = ended.getTime() - started.getTime() > hours(longestHours)
  return tooLong && { ended: `must be at most ${longestHours} hours after started` }
}
