import pg from 'pg'
import { runningSpan } from '../../tracing/index.js'
import { FailedTransaction, isReadOnly, isRefusal, outcomeUnknown, ReadOnlyServer } from '../errors.js'
import type { Isolation } from '../isolation.js'
import { bindScope, readScope, type Scope, sameScope } from '../scope.js'
import { answered, BatchMessage, type Part, type ScopedBatch, silently } from './batch-message.js'
import type { Opening } from './connection-breaker.js'
import { corkForThisTick } from './cork.js'
import type { RowDescription } from './pipelined-query.js'
import { ScopedRead } from './scoped-read.js'
import { settled } from './settled.js'
import { endWhenSilent } from './silence.js'
import { begins, commit, type ScopedStatement, type Statement, sendable } from './statement.js'
import { traceStatement } from './statement-span.js'

export interface ScopedClientConfig extends pg.ClientConfig {
  /** The connection counts as lost when statements wait and the server sends nothing for so long, in milliseconds. Default never. */
  readonly silenceMs?: number | undefined
  /** Opens the connection, or delays or rejects that; see `connectionBreaker`. Default at once. */
  readonly opening?: Opening | undefined
}

interface Sender {
  readonly connection: pg.Connection
  readonly readyForQuery: boolean
  query(statement: Statement): Promise<pg.QueryResult>
}

// pg declares ten overloads of `query`; only the one that answers with a promise is used here.
const Client = pg.Client as unknown as new (
  config: pg.ClientConfig,
) => Omit<pg.Client, 'query' | 'connect'> & Sender & { connect(): Promise<void> }

/** A connection that its borrower must release; with an error where it cannot be used any more. */
export type LentConnection = ScopedClient & { release(broken?: boolean | Error): void }

/**
 * A connection on which each statement runs under the scope that is given with it. The settings that row-level security reads are local to the transaction,
 * so that nothing stays on the connection, and are sent in the same packet as the statement, so that they need no further round trip.
 */
export class ScopedClient extends Client {
  #bound: Scope | undefined
  /** BEGIN, and what follows it directly; sent together with the first statement of the transaction. */
  #beginning: readonly Statement[] = []
  #knowsReadScope = false
  readonly #described = new Map<string, RowDescription>()
  #lost: Error | undefined
  readonly #opening: Opening

  constructor(config: ScopedClientConfig) {
    super(config)
    const { silenceMs, opening = (open) => open() } = config
    this.#opening = opening
    // pg also rejects the statements that wait for an answer. An 'error' without a listener would end the process.
    this.on('error', (error) => this.#lose(error))
    if (silenceMs) this.once('connect', () => endWhenSilent(this, silenceMs))
  }

  /** @param callback called by pg-pool's contract: without arguments once the connection is open, else with the error */
  override connect(callback?: (error?: unknown) => void): Promise<void> {
    const opened = this.#opening(async () => {
      // pg-pool destroys the socket of a client for which it has waited too long, even while the client waits for the breaker.
      if (this.connection.stream.destroyed) throw new Error('Connection terminated before it was opened')
      await super.connect()
    })
    if (callback) opened.then(() => callback(), callback)
    return opened
  }

  /** The error because of which the connection cannot be used any more. */
  get lost(): Error | undefined {
    return this.#lost
  }

  /** Begins a transaction. BEGIN and `first`, which runs without a scope, are sent with its first statement. @throws Error when `first` cannot be encoded */
  begin(isolation: Isolation, first?: Statement): void {
    this.#bound = undefined
    this.#beginning = first ? [begins[isolation], sendable(first)] : [begins[isolation]]
  }

  /**
   * Commits the transaction. Without `last` it sends nothing when the transaction has had no statement.
   * @param last a statement without a scope, sent together with COMMIT. When it fails, the transaction is rolled back
   * @throws FailedTransaction when an earlier error has aborted the transaction: PostgreSQL then answers COMMIT with ROLLBACK, which is no error
   * @throws AppError `uncertain` when the connection was lost before the answer
   */
  async commit(last?: Statement): Promise<void> {
    if (this.#beginning.length > 0 && !last) return this.#forget()
    const ending = last ? [sendable(last), commit] : [commit]
    // Checked before anything is sent, so that the outcome is known: nothing is committed.
    if (this.#lost) throw this.#lost
    const { command } = await this.#sendTogether([...this.#consumeBeginning(), ...ending]).catch(async (error) => {
      // After a failed statement PostgreSQL skips the COMMIT in the same message.
      if (last && isRefusal(error)) await this.rollback()
      return this.#mayHaveCommitted(error)
    })
    if (command === 'ROLLBACK') throw new FailedTransaction()
  }

  async rollback(): Promise<void> {
    if (this.#beginning.length > 0) return this.#forget()
    await this.control('ROLLBACK').catch((error) => {
      this.#lose(error)
      throw error
    })
  }

  #forget(): void {
    this.#beginning = []
  }

  #lose(error: Error): void {
    this.#lost ??= error
  }

  /** Sends BEGIN, SAVEPOINT, ROLLBACK TO or the like. PostgreSQL may revert the settings of the scope with it, so the next statement sets them again. */
  control(text: string): Promise<pg.QueryResult> {
    return this.#traced(text, () => {
      const before = this.#consumeBeginning()
      this.#bound = undefined
      return this.#flush([...before, { text }])
    })
  }

  /**
   * Sends a statement of the transaction that has begun on this connection.
   * @throws at once, and sends nothing, when a value cannot be encoded
   */
  send(statement: Statement, scope: Scope): Promise<pg.QueryResult> {
    const sent = sendable(statement)
    return this.#traced(statement.text, () => {
      const before = [...this.#consumeBeginning(), ...this.#binding(scope)]
      this.#bound = scope
      return this.#flush([...before, sent])
    })
  }

  /**
   * Sends several statements of the transaction that has begun on this connection, in one message if all of them are prepared.
   * @throws Error, and sends nothing, when a value cannot be encoded
   */
  async sendAll(statements: readonly Statement[], scope: Scope): Promise<pg.QueryResult[]> {
    const sent = statements.map(sendable)
    const before = [...this.#beginning, ...this.#binding(scope)]
    if (!this.knows([...before, ...sent]) || runningSpan()) return settled(sent.map((statement) => this.send(statement, scope)))
    if (this.#lost) throw this.#lost
    this.#forget()
    this.#bound = scope
    return this.#submitAll([...before.map(silently), ...sent.map(answered)])
  }

  /**
   * Commits one or more batches as a transaction, in one message. All statements must be prepared (see `knows`).
   * @param first statements that run before the batches, without a scope
   * @returns the results of the statements of each batch
   * @throws AppError `uncertain` when the connection was lost before the answer
   */
  async commitAll(batches: readonly ScopedBatch[], first: readonly Statement[] = []): Promise<pg.QueryResult[][]> {
    const parts = batches.flatMap(({ scope, statements }) => [silently(bindScope(scope)), ...statements.map(sendable).map(answered)])
    if (this.#lost) throw this.#lost
    const answers = await this.#submitAll([...first.map(silently), ...parts]).catch(this.#mayHaveCommitted)
    return batches.map(({ statements }) => answers.splice(0, statements.length))
  }

  #mayHaveCommitted = (error: unknown): never => {
    if (isRefusal(error)) throw error
    this.#lose(error as Error)
    throw outcomeUnknown(error as Error)
  }

  /** Whether this connection has prepared all statements already, which one message of several statements requires. */
  knows(statements: readonly Statement[]): boolean {
    const { parsedStatements } = this.connection as unknown as { parsedStatements: Record<string, string> }
    return statements.every(({ name = '' }) => parsedStatements[name] !== undefined)
  }

  /** Sends a statement in a read-only transaction of its own. */
  async readOnce(statement: Statement, scope: Scope): Promise<pg.QueryResult> {
    const sent = sendable(statement)
    return this.#traced(statement.text, () => this.#sendAlone(sent, scope))
  }

  /** Sends reads in one packet, each in a read-only transaction of its own. @returns their answers, in the order of the reads */
  readAll(reads: readonly ScopedStatement[]): Promise<pg.QueryResult>[] {
    corkForThisTick(this.connection.stream)
    return reads.map(({ scope, statement }) => this.readOnce(statement, scope))
  }

  #traced(text: string, send: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    const span = runningSpan()
    return span ? traceStatement(span, text, send) : send()
  }

  #consumeBeginning(): readonly Statement[] {
    const before = this.#beginning
    this.#forget()
    return before
  }

  /** The statement that sets the scope; none when the transaction runs under that scope already. */
  #binding = (scope: Scope): Statement[] => (this.#bound && sameScope(scope, this.#bound) ? [] : [bindScope(scope)])

  async #sendAlone(statement: Statement, scope: Scope): Promise<pg.QueryResult> {
    if (!this.#knowsReadScope) {
      await super.query(readScope(scope))
      this.#knowsReadScope = true
    }
    return new Promise((resolve, reject) => {
      const read = new ScopedRead(scope, statement, this.#described, (error, result) => (error ? reject(error) : resolve(result)))
      this.#submit(read)
    })
  }

  /** Sends statements that need no scope. Resolves to the result of the last one. */
  async #sendTogether(statements: readonly Statement[]): Promise<pg.QueryResult> {
    const isOneMessage = this.knows(statements) && !runningSpan()
    const answers = isOneMessage ? this.#submitAll(statements.map(answered)) : settled(statements.map((each) => this.#sendOne(each)))
    return (await answers).at(-1) as pg.QueryResult
  }

  #sendOne = (statement: Statement) => this.#traced(statement.text, () => this.#flush([statement]))

  #submitAll(parts: readonly Part[]): Promise<pg.QueryResult[]> {
    corkForThisTick(this.connection.stream)
    const answers = new Promise<pg.QueryResult[]>((resolve, reject) => {
      this.#submit(new BatchMessage(parts, (error, results) => (error ? reject(error) : resolve([results].flat()))))
    })
    return answers.catch(this.#failed)
  }

  #submit(message: ScopedRead | BatchMessage): void {
    super.query(message as unknown as Statement)
  }

  /** Sends statements in one packet. Resolves to the result of the last one; rejects with the first error, when all have been answered. */
  async #flush(statements: readonly Statement[]): Promise<pg.QueryResult> {
    if (this.#lost) throw this.#lost
    corkForThisTick(this.connection.stream)
    const answers = await settled(statements.map((statement) => super.query(statement))).catch(this.#failed)
    return answers.at(-1) as pg.QueryResult
  }

  /** A new connection may reach another server at the same address, which is not read-only. */
  #failed = (error: unknown): never => {
    if (!isReadOnly(error)) throw error
    const refusal = new ReadOnlyServer(error)
    this.#lose(refusal)
    throw refusal
  }
}
