import type { Scoped } from '../scope.js'

/** What a deferred transaction is made of. */
export interface DeferredWork<Result> {
  /** Runs first in the transaction. When it throws nothing else is written, and its error is that of the whole. */
  begin(): Promise<void>
  /** Its first `write` begins the transaction, and everything after that belongs to it. */
  work(): Promise<Result>
  /** Whether what `work` wrote is kept. What `begin` and `end` write is kept either way. */
  keeps(result: Result): boolean
  /**
   * Runs last in the transaction, which begins now where `work` wrote nothing. It sends all that it has to send at once: COMMIT travels with it.
   */
  end(result: Result): Promise<void>
}

export type Deferred = <Result>(scoped: Scoped, work: DeferredWork<Result>) => Promise<Result>
