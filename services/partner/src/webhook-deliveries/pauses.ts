const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

const pausesMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs]

/** The pause after a failure, in milliseconds. @param failures so far, with this one */
export const pauseAfter = (failures: number): number => pausesMs[Math.min(failures, pausesMs.length) - 1] ?? 0

/** For how long an event is tried. */
export const triedForMs = 24 * hourMs

/** After this long without one success a webhook is switched off. */
export const failingForMs = 72 * hourMs

/** Since when a webhook fails that fails now: anew when nothing was tried for a day. @param last when its last pause has ended, or will */
export function failingSinceOf(
  now: Date,
  { failingSince, pausedUntil: last }: { failingSince: Date | null; pausedUntil: Date | null },
): Date {
  const isQuiet = last !== null && Number(now) - Number(last) > 24 * hourMs
  return failingSince === null || isQuiet ? now : failingSince
}

/** How often in a row all that was sent together must fail before the whole webhook pauses, and not the records alone. */
const failuresBeforePause = 5

/** For how long a webhook pauses, in milliseconds. @param failures how often in a row all that was sent together has failed */
export const webhookPauseAfter = (failures: number): number => pauseAfter(failures - failuresBeforePause + 1)
