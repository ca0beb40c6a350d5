import type { Scoped } from '../scope.js'
import type { BatchStatement } from '../statements/batch-statement.js'

/** What a deferred transaction is made of. `first` and `last` run without a scope. */
export interface DeferredWork<Result> {
  /** Runs first in the transaction. It travels with the first write of the work, of which nothing is carried out when it fails. */
  first: BatchStatement
  /** Whether `error` is that of `first`. Then it is the error of the whole, whatever the work made of it. */
  isRefusal(error: unknown): boolean
  /** Its first write begins the transaction, and everything after that belongs to it. */
  work(): Promise<Result>
  /** Whether what `work` wrote is kept. Else it is undone, and `first` and `last` are a transaction of their own, as where it wrote nothing. */
  keeps(result: Result): boolean
  /** Runs last in the transaction: COMMIT travels with it. */
  last(result: Result): BatchStatement
}

export type Deferred = <Result>(scoped: Scoped, work: DeferredWork<Result>) => Promise<Result>
