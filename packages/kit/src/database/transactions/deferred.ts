import { traced } from '../../tracing/index.js'
import type { ScopedPool } from '../connections/scoped-pool.js'
import { isUncertain, translated } from '../errors.js'
import { type Scope, toScope } from '../scope.js'
import type { Contexts } from './context.js'
import type { Deferred } from './deferred-work.js'
import { Frame } from './frame.js'
import type { Repeat } from './repeat.js'
import { transactionStep } from './transaction.js'

/**
 * One transaction for a whole piece of work that takes no connection before the work writes: what comes before may take long.
 * It is run again as a whole where `write` would be.
 */
export const createDeferred =
  (contexts: Contexts, pool: ScopedPool, repeat: Repeat): Deferred =>
  (scoped, { begin, work, keeps, end }) => {
    const scope = toScope(scoped)
    const unitOfWork = async () => {
      const transaction = new DeferredTransaction(contexts, pool, scope, begin)
      try {
        const result = await contexts.run({ scope, deferred: transaction }, async () => work())
        await transaction.end(keeps(result), () => end(result))
        return result
      } catch (error) {
        throw await transaction.undo(error)
      }
    }
    return traced(transactionStep, () => translated(repeat(unitOfWork)))
  }

const ended = () => new Error('A write came after the end of the deferred transaction that it belongs to.')

/** The transaction of one piece of work, from its first write on. */
export class DeferredTransaction {
  /** Where the statements of the work belong, once there was a write. */
  frame: Frame | undefined
  readonly #contexts: Contexts
  readonly #pool: ScopedPool
  readonly #scope: Scope
  readonly #begin: () => Promise<void>
  #root: Frame | undefined
  #release: () => void = () => undefined
  #beginning: Promise<Frame> | undefined
  #failure: { readonly error: unknown } | undefined
  #over = false

  constructor(contexts: Contexts, pool: ScopedPool, scope: Scope, begin: () => Promise<void>) {
    this.#contexts = contexts
    this.#pool = pool
    this.#scope = scope
    this.#begin = begin
  }

  /** The frame for the next write of the work. */
  begin(): Promise<Frame> {
    if (this.#over) throw ended()
    this.#beginning ??= this.#open().catch((error) => {
      this.#failure = { error }
      throw error
    })
    return this.#beginning
  }

  async end(keeps: boolean, last: () => Promise<void>): Promise<void> {
    const frame = await this.begin()
    this.#over = true
    if (keeps) await frame.keep()
    else await frame.undo()
    const [answered, kept] = await Promise.allSettled([this.#inRoot(last), this.#root?.keepBehind()])
    // Whatever became of the last statements: once COMMIT was sent, a lost connection leaves the outcome unknown.
    if (kept.status === 'rejected' && isUncertain(kept.reason)) throw kept.reason
    if (answered.status === 'rejected') throw answered.reason
    if (kept.status === 'rejected') throw kept.reason
    this.#release()
  }

  /** @returns why the work failed, whatever the work made of it */
  async undo(error: unknown): Promise<unknown> {
    this.#over = true
    // A connection that is being waited for has to be given back as well.
    await this.#beginning?.catch(() => undefined)
    await this.#root?.undo()
    this.#release()
    if (this.#failure) return this.#failure.error
    return this.#root?.reasonOf(this.frame?.reasonOf(error) ?? error) ?? error
  }

  async #open(): Promise<Frame> {
    const connection = await this.#pool.lend()
    this.#release = () => connection.release(connection.lost)
    this.#root = Frame.begin(connection, 'ReadCommitted')
    await this.#inRoot(this.#begin)
    this.frame = await this.#root.nest()
    return this.frame
  }

  #inRoot = (work: () => Promise<void>) => this.#contexts.run({ scope: this.#scope, frame: this.#root }, async () => work())
}
