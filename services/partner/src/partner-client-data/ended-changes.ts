/** Waits for changes that end, in any copy of the service. */
export interface EndedChanges {
  /** Resolves when the change may have ended, and no later than at `deadline` (milliseconds since the epoch). */
  next(id: string, deadline: number): Promise<void>
  /** Resolves when any change may have ended, and no later than at `deadline`. */
  any(deadline: number): Promise<void>
}
