/** When an office is open on a day: pairs `[from, to]` of minutes after midnight. */
type Day = readonly (readonly [from: number, to: number])[]

/** By the days of ISO 8601, 1 for Monday: `false` on a day on which it is closed. A day that is absent is not known. */
export interface OpeningHours {
  readonly [day: string]: Day | false
}

/** Whether every time ends after it has begun, and before the next begins. */
export const isInOrder = (day: Day): boolean => day.every(([from, to], i) => from < to && (day[i - 1]?.[1] ?? 0) <= from)
