import { AsyncLocalStorage } from 'node:async_hooks'
import type { Scope } from '../scope.js'
import type { Frame } from './frame.js'

/** A transaction that begins with the first write of its work. */
interface Beginning {
  /** Where the statements of the work belong, once there was a write. */
  readonly frame: Frame | undefined
  begin(): Promise<Frame>
}

export interface Context {
  readonly scope: Scope
  /** The part of a transaction that the running code belongs to; it may have ended already. */
  readonly frame?: Frame | undefined
  readonly deferred?: Beginning
}

/** Which scope and transaction the running code belongs to; one for each database, so that two never mix. */
export type Contexts = AsyncLocalStorage<Context>

export const createContexts = (): Contexts => new AsyncLocalStorage<Context>()

/** The part of a transaction that a statement of this moment belongs to, if there is one. */
export function runningFrame(contexts: Contexts): Frame | undefined {
  const context = contexts.getStore()
  return context?.frame ?? context?.deferred?.frame
}

/** Fails closed: a statement without a scope is a mistake in the program, never a request's. */
export function requireContext(contexts: Contexts): Context {
  const context = contexts.getStore()
  if (!context) throw new Error('A statement outside of read, query and write has no scope.')
  return context
}
