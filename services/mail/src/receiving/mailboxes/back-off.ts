const firstMs = 30_000
const maxMs = 30 * 60_000

/** Jitter: a pause is shortened by up to this ratio at random, so that mailboxes which failed together do not retry together. */
const share = 0.25

/** The pause after a failure, in milliseconds. @param failures the number of failures in a row, including this one */
export const pauseAfter = (failures: number, random = Math.random()): number =>
  Math.round(Math.min(firstMs * 2 ** Math.min(failures - 1, 20), maxMs) * (1 - share * random))

/** The number of refused logins within an hour that stops a mailbox. */
const maxRefused = 5
const hourMs = 3_600_000

export interface Refusals {
  readonly refusedLogins: number
  readonly refusedSince: Date | null
}

/** Counts one more refused login. @returns the new counters, and whether the mailbox is to be stopped */
export function refusedAgain({ refusedLogins, refusedSince }: Refusals, now = new Date()): Refusals & { readonly stops: boolean } {
  const isRecent = refusedSince !== null && now.getTime() - refusedSince.getTime() < hourMs
  const next = isRecent ? { refusedLogins: refusedLogins + 1, refusedSince } : { refusedLogins: 1, refusedSince: now }
  return { ...next, stops: next.refusedLogins >= maxRefused }
}
