import { AppError } from '../errors/index.js'

/** A fixed-window rate limit: a window begins with the first count of a key. */
export interface LimitRule {
  /** Unique in the service; keys are counted by rule. */
  readonly name: string
  /** How many counts of a key are allowed in a window. */
  readonly points: number
  /** The length of the window. */
  readonly seconds: number
  /**
   * Whether a key over the limit is refused from memory until its window ends, so that a flood does not reach the database. Only for limits that are never
   * cleared. Default false.
   */
  readonly refusedFromMemory?: boolean
}

/** Counts by keys, such as an address or a subject. It fails closed: without the database every call rejects. */
export interface Limit {
  /**
   * Counts once for each key.
   * @throws AppError `limit` where a key exceeds its limit, with the seconds until its window ends; `unavailable` without the database
   */
  count(keys: readonly string[]): Promise<void>
  /**
   * Checks the keys without counting.
   * @throws AppError `limit` where a key has no points left; `unavailable` without the database
   */
  check(keys: readonly string[]): Promise<void>
  /** Resets the counts of the keys. @throws AppError `unavailable` without the database */
  clear(keys: readonly string[]): Promise<void>
}

const waitOf = (error: unknown) => (error instanceof AppError && error.kind === 'limit' ? error.retryAfterSeconds : undefined)

/**
 * Waits for several limits.
 * @throws the first error that is not `limit`; otherwise the AppError `limit` with the longest wait
 */
export async function everyLimit(limits: readonly Promise<void>[]): Promise<void> {
  const errors = (await Promise.allSettled(limits)).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const other = errors.find((error) => waitOf(error) === undefined)
  if (other) throw other
  const [longest] = errors.toSorted((a, b) => (waitOf(b) ?? 0) - (waitOf(a) ?? 0))
  if (longest) throw longest
}
