/** Where a message is that is not yet sent; `stopped`: its mailbox does not send, `uncertain`: the answer to its end is not known. */
export const queueStates = ['due', 'scheduled', 'deferred', 'stopped', 'sending', 'uncertain'] as const
export type QueueState = (typeof queueStates)[number]

/** Messages of all offices that are not yet sent, in one state. */
export interface QueuedOf {
  readonly state: QueueState
  readonly count: number
  /** Since the one that has waited for the longest time was due, or was last tried, in seconds; 0 before its time. */
  readonly oldestSeconds: number
}
