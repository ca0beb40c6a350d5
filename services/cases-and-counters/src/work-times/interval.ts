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
 * The interval that is entered by hand, or that a change of one makes, in whole seconds, as it is stored and shown. A running timer keeps running
 * where its end is not entered, and what is sent back as it was is not looked at: a timer may end in the second in which it started.
 * @throws invalid with a text for each field that is wrong
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
