import { AsyncLocalStorage } from 'node:async_hooks'
import type { Scope } from '../scope.js'
import type { Frame } from './frame.js'

/** A deferred transaction, which begins with the first write of its work. */
interface Beginning {
  /** The frame of the statements of the work, undefined before the first write. */
  readonly frame: Frame | undefined
  /** Begins the transaction, unless it has begun. */
  begin(): Promise<Frame>
}

export interface Context {
  readonly scope: Scope
  /** The transaction, or nested write, that the running code belongs to; it may have ended already. */
  readonly frame?: Frame | undefined
  /** Whether a read outside of a transaction may share a packet with others (see `pipelinedReads`). */
  readonly pipelined?: boolean
  readonly deferred?: Beginning
}

/** The scope and the transaction of the running code. Each database has its own, so that a transaction of one is not used for another. */
export type Contexts = AsyncLocalStorage<Context>

export const createContexts = (): Contexts => new AsyncLocalStorage<Context>()

/** The frame to which a statement that is sent now belongs; undefined outside of a transaction. */
export function runningFrame(contexts: Contexts): Frame | undefined {
  const context = contexts.getStore()
  return context?.frame ?? context?.deferred?.frame
}

/** @throws Error without a context: a statement without a scope is a mistake in the program, and must not be sent */
export function requireContext(contexts: Contexts): Context {
  const context = contexts.getStore()
  if (!context) throw new Error('A statement outside of read, query and write has no scope.')
  return context
}
