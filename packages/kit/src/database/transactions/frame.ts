import type pg from 'pg'
import type { ScopedClient } from '../connections/scoped-client.js'
import type { Statement } from '../connections/statement.js'
import { FailedTransaction, isTransient, isUncertain } from '../errors.js'
import type { Isolation } from '../isolation.js'
import type { Scope } from '../scope.js'

/** What all frames of one transaction share. */
export interface Transaction {
  readonly connection: ScopedClient
  readonly isolation: Isolation
  savepoints: number
  /** Called once after the commit, whichever frames were undone before it. */
  readonly afterCommit: (() => void)[]
}

/** How a frame ends on the server. */
interface Ending {
  keep(last?: Statement): Promise<void>
  undo(): Promise<void>
  /** Called once, when nothing more can be sent for the frame. */
  left?(): void
}

const ended = () => new Error('A statement or write came after the end of the transaction, or of the nested write, that it belongs to.')
const notOnTop = () =>
  new Error('A statement came while a nested write, or a transaction that Prisma began, was open in its transaction: await that first.')
const notAwaited = () =>
  new Error('The work of a transaction ended before a write, or an operation of Prisma, that it had begun: await that.')
const controls = () => new Error('A transaction is begun and ended by `write` alone, and its savepoints are set by nested ones.')

const control = /^\s*(begin|start|commit|end|abort|rollback|savepoint|release|prepare\s+transaction)\b/i

/**
 * A part of a transaction that is kept or undone as a whole: the transaction itself, a joined `write`, or a transaction that Prisma begins
 * by itself. The open frames of a transaction are a stack, as savepoints are in PostgreSQL, and a statement is sent only for the one on
 * top, so that none can end up in another's savepoint, nor in the connection's next transaction. Frames nested in one frame take turns in
 * the order in which they came.
 */
export class Frame {
  readonly transaction: Transaction
  readonly #ending: Ending
  #state: 'open' | 'settling' | 'ended' = 'open'
  #failure: unknown
  readonly #unanswered = new Set<Promise<unknown>>()
  #inner: Frame | undefined
  /** Frames that are open in this one, or wait for their turn. */
  #nested = 0
  #lastTurn: Promise<void> = Promise.resolve()

  private constructor(transaction: Transaction, ending: Ending) {
    this.transaction = transaction
    this.#ending = ending
  }

  /** The outermost frame of the transaction that `connection` begins with its first statement, in front of which `first` is carried out. */
  static begin(connection: ScopedClient, isolation: Isolation, first?: Statement): Frame {
    connection.begin(isolation, first)
    const afterCommit: Transaction['afterCommit'] = []
    const keep = async (last?: Statement) => {
      await connection.commit(last)
      for (const call of afterCommit) call()
    }
    const undo = () => connection.rollback().catch(() => undefined)
    return new Frame({ connection, isolation, savepoints: 0, afterCommit }, { keep, undo })
  }

  /** Why nothing of the frame can be kept. */
  get failure(): unknown {
    return this.#failure
  }

  /** @throws Error before anything is sent, when the frame has ended, has failed, or is not on top */
  async send(statement: Statement, scope: Scope): Promise<pg.QueryResult> {
    this.#mayTake(statement)
    // A value that cannot be sent throws here, and PostgreSQL knows nothing of it.
    return this.#answered(this.transaction.connection.send(statement, scope))
  }

  /** The same for several that travel together; none of them is carried out after one that fails. */
  async sendAll(statements: readonly Statement[], scope: Scope): Promise<pg.QueryResult[]> {
    for (const statement of statements) this.#mayTake(statement)
    return this.#answered(this.transaction.connection.sendAll(statements, scope))
  }

  #mayTake({ text }: Statement): void {
    this.#mustBeOpen()
    if (this.#inner) throw notOnTop()
    if (control.test(text)) throw controls()
  }

  async #answered<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#unanswered.add(answer)
    try {
      return await answer
    } catch (error) {
      this.#failure ??= error
      throw error
    } finally {
      this.#unanswered.delete(answer)
    }
  }

  /** Begins a frame in this one as soon as those that came before it have ended. */
  async nest(): Promise<Frame> {
    this.#mustBeOpen()
    const { promise: turn, resolve: endTurn } = Promise.withResolvers<void>()
    const before = this.#lastTurn
    this.#lastTurn = turn
    this.#nested++
    const left = () => {
      this.#nested--
      this.#inner = undefined
      endTurn()
    }
    await before
    try {
      this.#mustBeOpen()
    } catch (error) {
      left()
      throw error
    }
    const savepoint = `frame_${++this.transaction.savepoints}`
    this.#control(`SAVEPOINT ${savepoint}`)
    this.#inner = new Frame(this.transaction, {
      keep: async () => this.#control(`RELEASE SAVEPOINT ${savepoint}`),
      undo: async () => this.#control(`ROLLBACK TO SAVEPOINT ${savepoint}`, `RELEASE SAVEPOINT ${savepoint}`),
      left,
    })
    return this.#inner
  }

  /**
   * Keeps what was done, once every statement of the frame has been answered.
   * @param last of the outermost frame only: travels with COMMIT
   * @throws Error when the frame, or one around it, has ended, one in it has not, or a statement of it failed: `undo` it then
   */
  async keep(last?: Statement): Promise<void> {
    if (this.#state !== 'open') throw ended()
    this.#state = 'settling'
    this.#mustBeAwaited()
    await Promise.allSettled(this.#unanswered)
    // The frame around this one may have ended meanwhile.
    if (!this.#isSettling()) throw ended()
    if (this.#failure) throw new FailedTransaction(this.#failure)
    this.#end()
    await this.#ending.keep(last)
  }

  /** Undoes what was done. A frame that has ended stays as it is. */
  async undo(): Promise<void> {
    if (this.#state === 'ended') return
    this.#end()
    await this.#ending.undo()
  }

  /** The error of work that threw `error`: a failure of the database that may pass is not hidden by what the work made of it. */
  reasonOf(error: unknown): unknown {
    return !isUncertain(error) && isTransient(this.#failure, error) ? this.#failure : error
  }

  #mustBeOpen(): void {
    if (this.#state !== 'open') throw ended()
    if (this.#failure) throw new FailedTransaction(this.#failure)
  }

  #mustBeAwaited(): void {
    if (this.#nested > 0) throw notAwaited()
  }

  #isSettling = () => this.#state === 'settling'

  /** Also of the frames in it: no statement of theirs is sent any more. */
  #end(): void {
    this.#state = 'ended'
    if (this.#inner) this.#inner.#end()
    this.#ending.left?.()
  }

  /**
   * Nobody waits for these: they travel with what comes next. Where one fails PostgreSQL has aborted the transaction, refuses what comes
   * next, and answers COMMIT with ROLLBACK.
   */
  #control(...statements: string[]): void {
    for (const text of statements) {
      this.transaction.connection.control(text).catch((error) => {
        this.#failure ??= error
      })
    }
  }
}
