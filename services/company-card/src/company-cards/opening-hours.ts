/** When an office is open on a day: pairs `[from, to]` of minutes after midnight. */
type Day = readonly (readonly [from: number, to: number])[]

/** Opening hours by the days of ISO 8601, 1 for Monday. `false` means closed; a missing day is unknown. */
export interface OpeningHours {
  readonly [day: string]: Day | false
}

/** Whether every period ends after its beginning, and before the next one begins. */
export const isInOrder = (day: Day): boolean => day.every(([from, to], i) => from < to && (day[i - 1]?.[1] ?? 0) <= from)
