import { states } from '../sent-messages/sent-message.js'
import type { RecipientState } from '../sent-messages/sent-recipient.js'

/** What became of a message at one recipient. */
export interface Tried {
  readonly state: RecipientState
  /** What the server said; empty when it has said nothing, or taken the message. */
  readonly error: string
}

/** Where a message goes on after an attempt. */
export interface Attempted {
  readonly status: typeof states.queued | typeof states.done | typeof states.failed
  readonly error: string | null
  /** Before the next attempt, in milliseconds. */
  readonly pauseMs: number | null
}

const minuteMs = 60_000

/** The pauses after deferred attempts, in minutes: after a day nobody tries any more. */
const pauses = [1, 5, 15, 60, 180, 360, 819]

/** The pause after so many attempts; null when there is no other one. */
export const pauseAfterAttempt = (attempts: number): number | null => {
  const pause = pauses[attempts - 1]
  return pause === undefined ? null : pause * minuteMs
}

/** @param recipients all of the message @param attempts with this one */
export function attempted(recipients: readonly Tried[], attempts: number): Attempted {
  const open = recipients.find(({ state }) => state === 'deferred' || state === 'pending')
  const refused = recipients.find(({ state }) => state === 'refused' || state === 'failed')
  const pauseMs = open ? pauseAfterAttempt(attempts) : null
  const error = refused?.error ?? open?.error ?? null
  if (pauseMs !== null) return { status: states.queued, error, pauseMs }
  return open || refused ? { status: states.failed, error, pauseMs } : { status: states.done, error: null, pauseMs }
}
