/** A place in the queue for hashing. */
export interface Turn {
  /** The caller, as an address or a subject. Callers take turns, so that none waits behind all entries of another. */
  readonly of: string
  /** Aborts when the caller no longer waits for the result. */
  readonly signal?: AbortSignal | undefined
}

/** Hashes passwords slowly, a few at a time. */
export interface PasswordHasher {
  /** Hashes a password, in the turn of the caller of the running request. @throws AppError `unavailable` as `inTurn` */
  hash(password: string): Promise<string>

  /**
   * Compares a password with a hash; to be called within `inTurn`. Without a hash, or with an invalid one, it returns false after the same time, so that
   * the duration reveals nothing about the account.
   */
  matches(hash: string | null, password: string): Promise<boolean>

  /**
   * Runs `work`, which may hash once, when its turn comes.
   * @throws AppError `unavailable` when too many wait, or when the signal aborts before the turn comes; `work` does not run then
   */
  inTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T>
}
