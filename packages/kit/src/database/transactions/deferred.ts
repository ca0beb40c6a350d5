import { traced } from '../../tracing/index.js'
import type { ScopedClient } from '../connections/scoped-client.js'
import type { ScopedPool } from '../connections/scoped-pool.js'
import type { Statement } from '../connections/statement.js'
import { translated } from '../errors.js'
import { toScope } from '../scope.js'
import { toStatement } from '../statements/statements.js'
import { commitInFrame } from './batch.js'
import type { Contexts } from './context.js'
import type { Deferred } from './deferred-work.js'
import { Frame } from './frame.js'
import type { Repeat } from './repeat.js'
import { transactionStep } from './transaction.js'

/**
 * Makes `deferred` of a database: a transaction that takes no connection before its work writes, because what the work does before may take long. After an
 * error that may be repeated the whole work runs again, as with `write`.
 */
export const createDeferred =
  (contexts: Contexts, pool: ScopedPool, repeat: Repeat): Deferred =>
  (scoped, { first, isRefusal, work, keeps, last }) => {
    const scope = toScope(scoped)
    const begin = toStatement(first)

    const unitOfWork = async () => {
      const transaction = new DeferredTransaction(pool, begin, isRefusal)
      const result = await contexts.run({ scope, deferred: transaction }, async () => work()).catch(transaction.fail)
      const end = toStatement(last(result))
      const isKept = keeps(result) && (await transaction.keep(end).catch(transaction.fail))
      if (isKept) return result
      await transaction.undo()
      const connection = await pool.lend()
      try {
        await commitInFrame(connection, [{ scope, statements: [begin, end] }])
      } finally {
        connection.release(connection.lost)
      }
      return result
    }
    return traced(transactionStep, () => translated(repeat(unitOfWork)))
  }

const ended = () => new Error('A write came after the end of the deferred transaction that it belongs to.')

type LentConnection = Awaited<ReturnType<ScopedPool['lend']>>

/** The transaction of one run of the work. */
class DeferredTransaction {
  /** The frame of the statements of the work, undefined before the first write. */
  frame: Frame | undefined
  readonly #pool: ScopedPool
  readonly #first: Statement
  readonly #isRefusal: (error: unknown) => boolean
  #connection: LentConnection | undefined
  #beginning: Promise<Frame> | undefined
  #over = false

  constructor(pool: ScopedPool, first: Statement, isRefusal: (error: unknown) => boolean) {
    this.#pool = pool
    this.#first = first
    this.#isRefusal = isRefusal
  }

  /** The frame for the next write of the work. */
  begin(): Promise<Frame> {
    if (this.#over) throw ended()
    this.#beginning ??= this.#open()
    return this.#beginning
  }

  async #open(): Promise<Frame> {
    this.#connection = await this.#pool.lend()
    this.frame = Frame.begin(this.#connection, 'ReadCommitted', this.#first)
    return this.frame
  }

  /** Commits, with `last`. @returns false when the work has written nothing, so that there is no transaction */
  async keep(last: Statement): Promise<boolean> {
    this.#over = true
    const frame = await this.#beginning
    await frame?.keep(last)
    this.#release()
    return frame !== undefined
  }

  async undo(): Promise<void> {
    this.#over = true
    // When the pool has not lent the connection yet, it must still be released.
    await this.#beginning?.catch(() => undefined)
    await this.frame?.undo()
    this.#release()
  }

  /** Rolls back. @throws the failure of a statement that must not be hidden (see `Frame.reasonOf`), else `error`, which the work has thrown */
  fail = async (error: unknown): Promise<never> => {
    await this.undo()
    // Throws when no connection could be opened.
    await this.#beginning
    const failure = this.frame?.failure
    if (this.#isRefusal(failure)) throw failure
    throw this.frame?.reasonOf(error) ?? error
  }

  #release(): void {
    const connection: (ScopedClient & Pick<LentConnection, 'release'>) | undefined = this.#connection
    this.#connection = undefined
    connection?.release(connection.lost)
  }
}
