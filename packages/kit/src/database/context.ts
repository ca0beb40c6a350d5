import { AsyncLocalStorage } from 'node:async_hooks'
import type { Scope } from './scope.js'
import type { ScopedClient } from './scoped-client.js'

/** A transaction of `write` while it runs. */
export interface Transaction {
  readonly connection: ScopedClient
  savepoints: number
  /** The work is done: what is left is the commit, and nothing may join any more. */
  over: boolean
}

export interface Context {
  readonly scope: Scope
  readonly transaction?: Transaction | undefined
  /** The last write that joined here. They take turns: savepoints are a stack. */
  lastJoined?: Promise<unknown>
}

/** Which scope and transaction the running code belongs to; one for each database, so that two never mix. */
export type Contexts = AsyncLocalStorage<Context>

export const createContexts = (): Contexts => new AsyncLocalStorage<Context>()

/** The transaction that a statement of this moment belongs to, if there is one. */
export function runningTransaction(contexts: Contexts): Transaction | undefined {
  const transaction = contexts.getStore()?.transaction
  return transaction?.over ? undefined : transaction
}

/** Fails closed: a statement that nobody bound to a scope is a mistake in the program, never a request's. */
export function requireScope(contexts: Contexts): Scope {
  const context = contexts.getStore()
  if (!context) throw new Error('A statement outside of read, query and write has no scope.')
  return context.scope
}
