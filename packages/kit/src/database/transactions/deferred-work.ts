import type { Scoped } from '../scope.js'
import type { BatchStatement } from '../statements/batch-statement.js'

/** The parts of a deferred transaction. `first` and `last` run without a scope. */
export interface DeferredWork<Result> {
  /** Runs first in the transaction, sent together with the first write of the work. When it fails, that write is not carried out. */
  first: BatchStatement
  /** Whether `error` is the failure of `first`. Then the deferred transaction rejects with it, even if the work caught it. */
  isRefusal(error: unknown): boolean
  /** The work. Its first write begins the transaction, to which all later statements belong. */
  work(): Promise<Result>
  /** Whether the writes of `work` are committed. Otherwise they are rolled back, and `first` and `last` are committed alone, as when there were no writes. */
  keeps(result: Result): boolean
  /** Runs last in the transaction, sent together with COMMIT. */
  last(result: Result): BatchStatement
}

/** Runs the work under a scope. Resolves to its result after the commit. */
export type Deferred = <Result>(scoped: Scoped, work: DeferredWork<Result>) => Promise<Result>
