const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

const pausesMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs]

/** The pause after a failure, in milliseconds. @param failures the number of failures so far, including this one */
export const pauseAfter = (failures: number): number => pausesMs[Math.min(failures, pausesMs.length) - 1] ?? 0

/** How long the delivery of an event is retried. */
export const triedForMs = 24 * hourMs

/** After this long without one success a webhook is switched off. */
export const failingForMs = 72 * hourMs

/** Since when a webhook that has just failed is failing. It counts from now where nothing was tried for a day. @param last the end of its last pause */
export function failingSinceOf(
  now: Date,
  { failingSince, pausedUntil: last }: { failingSince: Date | null; pausedUntil: Date | null },
): Date {
  const isQuiet = last !== null && Number(now) - Number(last) > 24 * hourMs
  return failingSince === null || isQuiet ? now : failingSince
}

/** After so many failed rounds in a row the whole webhook pauses, and not only single records. */
const failuresBeforePause = 5

/** The pause of a webhook, in milliseconds. @param failures the number of failed rounds in a row */
export const webhookPauseAfter = (failures: number): number => pauseAfter(failures - failuresBeforePause + 1)
