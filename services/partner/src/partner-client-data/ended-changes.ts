/** Learns of changes that have ended, in whichever copy of the service. */
export interface EndedChanges {
  /** Resolves when the change has ended, when somebody should look whether it has, or at `deadline` (milliseconds since the epoch). */
  next(id: string, deadline: number): Promise<void>
  /** The same of any change. */
  any(deadline: number): Promise<void>
}
