/** Who waits for a hash. */
export interface Turn {
  /** An address or a subject: those that wait take turns, so that nobody waits behind all that one of them wants. */
  readonly of: string
  /** Aborts when nobody waits for the answer any more. */
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
   * To be called inside of `inTurn`. False at the same cost when there is no hash to compare with: how long it takes tells nothing about
   * an account.
   */
  matches(hash: string | null, password: string): Promise<boolean>

  /**
   * Runs `work`, which may hash once, when its turn comes.
   * @throws AppError `unavailable` when too many wait, or when the signal aborts before the turn comes: `work` does not run then
   */
  inTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T>
}
