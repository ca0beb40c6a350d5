import { AppError } from '../errors/index.js'

/** How often something may happen within a window, which begins with the first time. */
export interface LimitRule {
  /** Unique in the service; keys are counted by rule. */
  readonly name: string
  readonly points: number
  readonly seconds: number
  /**
   * A key over the limit is refused from memory until its window ends, so that a flood costs the database nothing. For limits that are never
   * cleared. Default false.
   */
  readonly refusedFromMemory?: boolean
}

/** Counts by key: an address, a subject. Nothing passes a limit that cannot be counted. */
export interface Limit {
  /**
   * Counts once for each key.
   * @throws AppError `limit`, with the seconds until the window ends, when that is one too many; `unavailable` without the database
   */
  count(keys: readonly string[]): Promise<void>
  /**
   * Counts nothing.
   * @throws AppError `limit` when nothing is left of a key; `unavailable` without the database
   */
  check(keys: readonly string[]): Promise<void>
  /** Begins anew. @throws AppError `unavailable` without the database */
  clear(keys: readonly string[]): Promise<void>
}

const waitOf = (error: unknown) => (error instanceof AppError && error.kind === 'limit' ? error.retryAfterSeconds : undefined)

/**
 * Waits for several limits.
 * @throws AppError the refusal that lasts longest, or the first other error
 */
export async function everyLimit(limits: readonly Promise<void>[]): Promise<void> {
  const errors = (await Promise.allSettled(limits)).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const other = errors.find((error) => waitOf(error) === undefined)
  if (other) throw other
  const [longest] = errors.toSorted((a, b) => (waitOf(b) ?? 0) - (waitOf(a) ?? 0))
  if (longest) throw longest
}
