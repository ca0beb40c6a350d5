import type { Id } from '@caseway/kit/caller'

/** The work of a person in a period. */
export interface Report {
  readonly id: Id
  readonly email: string
  readonly firstname: string
  readonly lastname: string
  readonly issues: number
  readonly sentences: number
  readonly approved: number
  readonly rejected: number
  readonly corrected: number
  /** Both working times are in seconds. */
  readonly workTime: number
  readonly workTimeExtra: number
}

/** A report as it is sent: everything is text. */
export const toWire = ({ workTime, workTimeExtra, ...report }: Report) => ({
  ...Object.fromEntries(Object.entries(report).map(([name, value]) => [name, String(value)])),
  work_time: String(workTime),
  work_time_extra: String(workTimeExtra),
})
