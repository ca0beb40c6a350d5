const firstMs = 30_000
const mostMs = 30 * 60_000

/** Jitter: a pause is shortened by up to this ratio at random, so that mailboxes which failed together do not retry together. */
const share = 0.25

/** The pause after a failure, in milliseconds. @param failures in a row, with this one */
export const pauseAfter = (failures: number, random = Math.random()): number =>
  Math.round(Math.min(firstMs * 2 ** Math.min(failures - 1, 20), mostMs) * (1 - share * random))

/** Refused logins within an hour that stop a mailbox. */
const mostRefused = 5
const hourMs = 3_600_000

export interface Refusals {
  readonly refusedLogins: number
  readonly refusedSince: Date | null
}

/** With one more refused login. */
export function refusedAgain({ refusedLogins, refusedSince }: Refusals, now = new Date()): Refusals & { readonly stops: boolean } {
  const isRecent = refusedSince !== null && now.getTime() - refusedSince.getTime() < hourMs
  const next = isRecent ? { refusedLogins: refusedLogins + 1, refusedSince } : { refusedLogins: 1, refusedSince: now }
  return { ...next, stops: next.refusedLogins >= mostRefused }
}
