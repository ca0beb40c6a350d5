/** Who waits for a hash. */
export interface Turn {
  /** An address or a subject: callers take turns, so that none waits behind all entries of another. */
  readonly of: string
  /** Aborts when the client has gone. */
  readonly signal?: AbortSignal | undefined
}

/** Hashes passwords slowly, a few at a time. */
export interface PasswordHasher {
  /**
   * Takes its turn for the caller of the running request.
   * @throws AppError `unavailable` as `inTurn` does
   */
  hash(password: string): Promise<string>

  /**
   * To be called inside of `inTurn`. False at the same cost when there is no hash to compare with, or none that can be read: how long it takes says nothing about
   * an account.
   */
  matches(hash: string | null, password: string): Promise<boolean>

  /**
   * Runs `work`, which may hash once, when its turn comes.
   * @throws AppError `unavailable` when too many wait, or when the signal aborts before the turn comes: `work` does not run then
   */
  inTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T>
}
