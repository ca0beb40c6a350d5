import pg from 'pg'
import { runningSpan } from '../../tracing/index.js'
import { FailedTransaction, isRefusal, outcomeUnknown } from '../errors.js'
import type { Isolation } from '../isolation.js'
import { bindScope, readScope, type Scope, sameScope } from '../scope.js'
import { answered, BatchMessage, type Part, type ScopedBatch, silently } from './batch-message.js'
import type { Opening } from './connection-breaker.js'
import type { RowDescription } from './pipelined-query.js'
import { ScopedRead } from './scoped-read.js'
import { endWhenSilent } from './silence.js'
import { begins, commit, type Statement, sendable } from './statement.js'
import { traceStatement } from './statement-span.js'

export interface ScopedClientConfig extends pg.ClientConfig {
  /** After how many milliseconds in which the server says nothing, while statements wait, the connection counts as lost. Default never. */
  readonly silenceMs?: number | undefined
  /** How it is opened. Default at once. */
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

/**
 * A connection on which each statement runs under the scope that it is sent with. The settings that row-level security reads are local to
 * the transaction and travel in the same packet: no round trip more, and nothing sticks to the connection.
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
    // Statements at work are rejected as well; an 'error' without a listener would end the process.
    this.on('error', (error) => this.#lose(error))
    if (silenceMs) this.once('connect', () => endWhenSilent(this, silenceMs))
  }

  /** @param callback called by pg-pool's contract: without arguments once the connection is open, else with the error */
  override connect(callback?: (error?: unknown) => void): Promise<void> {
    const opened = this.#opening(async () => {
      // pg-pool destroys the socket of a client for which it has waited too long, also while that waits for its turn.
      if (this.connection.stream.destroyed) throw new Error('Connection terminated before it was opened')
      await super.connect()
    })
    if (callback) opened.then(() => callback(), callback)
    return opened
  }

  /** Why nothing can be sent any more. */
  get lost(): Error | undefined {
    return this.#lost
  }

  /**
   * Begins a transaction. BEGIN and `first`, which needs no scope, are sent together with its first statement.
   * @throws at once when a value of `first` cannot be sent
   */
  begin(isolation: Isolation, first?: Statement): void {
    this.#bound = undefined
    this.#beginning = first ? [begins[isolation], sendable(first)] : [begins[isolation]]
  }

  /**
   * @param last a statement that needs no scope, in the same message. When it fails the transaction is undone
   * @throws FailedTransaction when what was done before has already undone the transaction: PostgreSQL would call that a success
   * @throws AppError `uncertain` when the connection was lost before the answer
   */
  async commit(last?: Statement): Promise<void> {
    if (this.#beginning.length > 0 && !last) return this.#forget()
    const ending = last ? [sendable(last), commit] : [commit]
    // Nothing is sent then, so nothing is committed.
    if (this.#lost) throw this.#lost
    const { command } = await this.#sendTogether([...this.#consumeBeginning(), ...ending]).catch(async (error) => {
      // PostgreSQL has passed over the COMMIT behind a statement that failed.
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
   * A statement of the transaction that holds this connection.
   * @throws at once, before anything is sent, when a value cannot be sent
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
   * Several statements of the transaction that holds this connection, in one message.
   * @throws at once, before anything is sent, when a value cannot be sent
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
   * A transaction of one or more batches, in one message that commits them as well.
   * @param first what is carried out in front of them; it needs no scope
   * @returns the answers of each batch
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

  /** Whether this connection has prepared all of them already, which a message of several statements requires. */
  knows(statements: readonly Statement[]): boolean {
    const { parsedStatements } = this.connection as unknown as { parsedStatements: Record<string, string> }
    return statements.every(({ name = '' }) => parsedStatements[name] !== undefined)
  }

  /** A transaction of one reading statement. */
  async readOnce(statement: Statement, scope: Scope): Promise<pg.QueryResult> {
    const sent = sendable(statement)
    return this.#traced(statement.text, () => this.#sendAlone(sent, scope))
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

  /** What sets the scope, where the transaction runs under another one. */
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

  /** The answer to the last of some statements that need no scope. */
  async #sendTogether(statements: readonly Statement[]): Promise<pg.QueryResult> {
    const isOneMessage = this.knows(statements) && !runningSpan()
    const answers = isOneMessage ? this.#submitAll(statements.map(answered)) : settled(statements.map((each) => this.#sendOne(each)))
    return (await answers).at(-1) as pg.QueryResult
  }

  #sendOne = (statement: Statement) => this.#traced(statement.text, () => this.#flush([statement]))

  #submitAll(parts: readonly Part[]): Promise<pg.QueryResult[]> {
    this.#corkForThisTick()
    return new Promise((resolve, reject) => {
      this.#submit(new BatchMessage(parts, (error, results) => (error ? reject(error) : resolve([results].flat()))))
    })
  }

  #submit(message: ScopedRead | BatchMessage): void {
    super.query(message as unknown as Statement)
  }

  /** The answer to the last of some statements; the first error of any of them is the error. */
  async #flush(statements: readonly Statement[]): Promise<pg.QueryResult> {
    if (this.#lost) throw this.#lost
    this.#corkForThisTick()
    const [only] = statements
    if (only && statements.length === 1) return super.query(only)
    const answers = await settled(statements.map((statement) => super.query(statement)))
    return answers.at(-1) as pg.QueryResult
  }

  /** Statements that are sent in one tick leave as one packet: sending a packet costs as much CPU as building a statement. */
  #corkForThisTick(): void {
    const { stream } = this.connection
    if (stream.writableCorked > 0) return
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
}

/** All answers, or the first error. All have to settle: the next user of the connection must not receive answers of these. */
async function settled<Answer>(sent: readonly Promise<Answer>[]): Promise<Answer[]> {
  const answers = await Promise.allSettled(sent)
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (failed) throw failed.reason
  return answers.map((answer) => (answer as PromiseFulfilledResult<Answer>).value)
}
