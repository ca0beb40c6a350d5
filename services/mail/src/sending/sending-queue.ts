/** The states of unsent messages. `stopped`: its mailbox does not send; `uncertain`: the answer to its end is not known. */
export const queueStates = ['due', 'scheduled', 'deferred', 'stopped', 'sending', 'uncertain'] as const
export type QueueState = (typeof queueStates)[number]

/** The unsent messages of all offices in one state. */
export interface QueuedOf {
  readonly state: QueueState
  readonly count: number
  /** The time since the oldest of them was due, or was last tried, in seconds; 0 before it is due. */
  readonly oldestSeconds: number
}
