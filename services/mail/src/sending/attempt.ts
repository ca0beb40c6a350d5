import { states } from '../sent-messages/sent-message.js'
import type { RecipientState } from '../sent-messages/sent-recipient.js'

/** The state of a message at one recipient. */
export interface Tried {
  readonly state: RecipientState
  /** The reply of the server; empty where it has not replied, or has accepted the message. */
  readonly error: string
}

/** The state of a message after an attempt. */
export interface Attempted {
  readonly status: typeof states.queued | typeof states.done | typeof states.failed
  readonly error: string | null
  /** The pause before the next attempt, in milliseconds; null where there is none. */
  readonly pauseMs: number | null
}

const minuteMs = 60_000

/** The pauses after deferred attempts, in minutes: after a day the message has failed. */
const pauses = [1, 5, 15, 60, 180, 360, 819]

/** The pause after this number of attempts, in milliseconds; null after the last one. */
export const pauseAfterAttempt = (attempts: number): number | null => {
  const pause = pauses[attempts - 1]
  return pause === undefined ? null : pause * minuteMs
}

/** @param recipients all recipients of the message @param attempts the number of attempts, including this one */
export function attempted(recipients: readonly Tried[], attempts: number): Attempted {
  const open = recipients.find(({ state }) => state === 'deferred' || state === 'pending')
  const refused = recipients.find(({ state }) => state === 'refused' || state === 'failed')
  const pauseMs = open ? pauseAfterAttempt(attempts) : null
  const error = refused?.error ?? open?.error ?? null
  if (pauseMs !== null) return { status: states.queued, error, pauseMs }
  return open || refused ? { status: states.failed, error, pauseMs } : { status: states.done, error: null, pauseMs }
}
