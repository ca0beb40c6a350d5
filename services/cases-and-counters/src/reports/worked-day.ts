import type { Id } from '@caseway/kit/caller'
import { dayAt, dayEnd } from '@caseway/kit/fields'

/** A work time that has ended, with the time zone of its office. */
export interface EndedWork {
  readonly id: Id
  readonly customerId: Id
  readonly started: Date
  readonly ended: Date
  readonly zone: string
}

/** The part of a work time on one day of the office. */
export interface WorkedDay {
  readonly workTimeId: Id
  readonly customerId: Id
  /** As `2026-11-23`. */
  readonly day: string
  readonly seconds: number
}

/** Splits a work time into days of the office, also across changes of its clocks. */
export function workedDays({ id: workTimeId, customerId, started, ended, zone }: EndedWork): WorkedDay[] {
  const days: WorkedDay[] = []
  let [day, from] = [dayAt(started, zone), started.getTime()]
  while (from < ended.getTime()) {
    const next = dayEnd(day, zone)
    const to = Math.min(next.getTime(), ended.getTime())
    // Where clocks went back from one minute past midnight, as in Newfoundland until 2011, the next day begins before the end of this one.
    if (to > from) {
      days.push({ workTimeId, customerId, day, seconds: Math.round((to - from) / 1000) })
      from = to
    }
    day = dayAt(next, zone)
  }
  return days
}
