import type pg from 'pg'
import type { ScopedClient } from '../connections/scoped-client.js'
import type { Statement } from '../connections/statement.js'
import { FailedTransaction, isTransient, isUncertain } from '../errors.js'
import type { Isolation } from '../isolation.js'
import type { Scope } from '../scope.js'

/** The state that all frames of one transaction share. */
export interface Transaction {
  readonly connection: ScopedClient
  readonly isolation: Isolation
  /** How many savepoints were set: the number in the name of the last one. */
  savepoints: number
  /** Called once after the commit, even if the frames that added them were rolled back. */
  readonly afterCommit: (() => void)[]
}

/** How a frame ends on the server. */
interface Ending {
  keep(last?: Statement): Promise<void>
  undo(): Promise<void>
  /** Called once, when the frame has ended and sends nothing more. */
  onEnd?(): void
}

const ended = () => new Error('A statement or write came after the end of the transaction, or of the nested write, that it belongs to.')
const notOnTop = () =>
  new Error('A statement came while a nested write, or a transaction that Prisma began, was open in its transaction: await that first.')
const notAwaited = () =>
  new Error('The work of a transaction ended before a write, or an operation of Prisma, that it had begun: await that.')
const controls = () => new Error('A transaction is begun and ended by `write` alone, and its savepoints are set by nested ones.')

const control = /^\s*(begin|start|commit|end|abort|rollback|savepoint|release|prepare\s+transaction)\b/i

/**
 * A part of a transaction that is kept or rolled back as a whole: the transaction itself, a nested `write`, or a transaction that Prisma begins by itself.
 * The open frames of a transaction form a stack, like the savepoints of PostgreSQL. Statements are sent for the top frame only, so that none runs in
 * the savepoint of another frame, or in the next transaction of the connection. Frames nested in the same frame take turns in the order of their `nest`.
 */
export class Frame {
  readonly transaction: Transaction
  readonly #ending: Ending
  #state: 'open' | 'settling' | 'ended' = 'open'
  #failure: unknown
  readonly #unanswered = new Set<Promise<unknown>>()
  #inner: Frame | undefined
  /** How many frames are open in this one, or wait for their turn. */
  #nested = 0
  #lastTurn: Promise<void> = Promise.resolve()

  private constructor(transaction: Transaction, ending: Ending) {
    this.transaction = transaction
    this.#ending = ending
  }

  /** The outermost frame of a new transaction. BEGIN and `first` are sent together with its first statement. */
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

  /** The error of the first statement that has failed: because of it the frame cannot be kept. */
  get failure(): unknown {
    return this.#failure
  }

  /** Sends a statement. @throws Error, and sends nothing, when the frame has ended, has failed, or is not on top of the stack */
  async send(statement: Statement, scope: Scope): Promise<pg.QueryResult> {
    this.#mayTake(statement)
    // A value that cannot be encoded throws here: nothing was sent, so that the frame has not failed.
    return this.#answered(this.transaction.connection.send(statement, scope))
  }

  /** As `send`, for several statements in one message. Those after a failed one are not executed. */
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

  /**
   * Begins a nested frame, as soon as earlier nested frames have ended.
   * @throws Error when this frame has ended or failed by then
   */
  async nest(): Promise<Frame> {
    this.#mustBeOpen()
    const { promise: turn, resolve: endTurn } = Promise.withResolvers<void>()
    const before = this.#lastTurn
    this.#lastTurn = turn
    this.#nested++
    const onEnd = () => {
      this.#nested--
      this.#inner = undefined
      endTurn()
    }
    await before
    try {
      this.#mustBeOpen()
    } catch (error) {
      onEnd()
      throw error
    }
    const savepoint = `frame_${++this.transaction.savepoints}`
    this.#control(`SAVEPOINT ${savepoint}`)
    this.#inner = new Frame(this.transaction, {
      keep: async () => this.#control(`RELEASE SAVEPOINT ${savepoint}`),
      undo: async () => this.#control(`ROLLBACK TO SAVEPOINT ${savepoint}`, `RELEASE SAVEPOINT ${savepoint}`),
      onEnd,
    })
    return this.#inner
  }

  /**
   * Commits the frame, or releases its savepoint, when all its statements have been answered.
   * @param last a statement that is sent together with COMMIT; for the outermost frame only
   * @throws Error when the frame or one around it has ended, a nested frame has not, or a statement has failed: the caller must `undo` it then
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

  /** Rolls the frame back. Does nothing when the frame has ended. */
  async undo(): Promise<void> {
    if (this.#state === 'ended') return
    this.#end()
    await this.#ending.undo()
  }

  /** The error to report for work that threw `error`: a transient failure of a statement replaces the error that the work has made of it. */
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

  /** Ends this frame and the nested ones: none of them sends statements any more. */
  #end(): void {
    this.#state = 'ended'
    if (this.#inner) this.#inner.#end()
    this.#ending.onEnd?.()
  }

  /**
   * Sends statements without waiting for their answers; they share the packet of the next statement. When one fails, PostgreSQL has aborted the transaction:
   * it rejects the next statements, and answers COMMIT with ROLLBACK.
   */
  #control(...statements: string[]): void {
    for (const text of statements) {
      this.transaction.connection.control(text).catch((error) => {
        this.#failure ??= error
      })
    }
  }
}
