import pg from 'pg'
import { runningSpan } from '../../tracing/index.js'
import { FailedTransaction, isRefusal, outcomeUnknown } from '../errors.js'
import type { Isolation } from '../isolation.js'
import { bindScope, readScope, type Scope, sameScope, scopeStatement } from '../scope.js'
import { ScopedBatch } from './scoped-batch.js'
import { type RowDescription, ScopedRead } from './scoped-read.js'
import type { Statement } from './statement.js'
import { traceStatement } from './statement-span.js'

interface Sender {
  readonly connection: pg.Connection
  query(statement: Statement): Promise<pg.QueryResult>
}

// pg declares ten overloads of `query`; only the one that answers with a promise is used here.
const Client = pg.Client as unknown as new (config: pg.ClientConfig) => Omit<pg.Client, 'query'> & Sender

const levels = { ReadCommitted: 'READ COMMITTED', RepeatableRead: 'REPEATABLE READ', Serializable: 'SERIALIZABLE' } satisfies Record<
  Isolation,
  string
>

/** The form in which pg sends a value. It is no part of pg's types. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/**
 * A statement that can be sent as it is. pg forms the values when the server has been asked to parse already: an error in that leaves a
 * name behind for a statement that the server does not have. A text without values would be sent as several statements, where it is several.
 */
const sendable = (statement: Statement): Statement =>
  ({ ...statement, values: statement.values?.map((value) => prepareValue(value)), queryMode: 'extended' }) as Statement

/**
 * A connection on which each statement runs under the scope that it is sent with. The settings that row-level security reads are local to
 * the transaction and travel in the same packet: no round trip more, and nothing sticks to the connection.
 */
export class ScopedClient extends Client {
  #bound: Scope | undefined
  /** The transaction that begins with its first statement. */
  #beginning: Statement | undefined
  #knowsReadScope = false
  readonly #described = new Map<string, RowDescription>()
  #lost: Error | undefined

  constructor(config: pg.ClientConfig) {
    super(config)
    // Statements at work are rejected as well; an 'error' without a listener would end the process.
    this.on('error', (error) => this.#lose(error))
  }

  /** Why nothing can be sent any more. */
  get lost(): Error | undefined {
    return this.#lost
  }

  /** What comes next on this connection is a transaction. Its BEGIN travels with its first statement. */
  begin(isolation: Isolation): void {
    this.#bound = undefined
    this.#beginning = { text: isolation === 'ReadCommitted' ? 'BEGIN' : `BEGIN ISOLATION LEVEL ${levels[isolation]}` }
  }

  /**
   * @throws FailedTransaction when what was done before has already undone the transaction: PostgreSQL would call that a success
   * @throws AppError `uncertain` when the connection was lost before the answer
   */
  async commit(): Promise<void> {
    if (this.#beginning) return this.#forget()
    // Nothing is sent then, so nothing is committed.
    if (this.#lost) throw this.#lost
    const { command } = await this.control('COMMIT').catch((error) => {
      if (isRefusal(error)) throw error
      this.#lose(error)
      throw outcomeUnknown(error)
    })
    if (command === 'ROLLBACK') throw new FailedTransaction()
  }

  async rollback(): Promise<void> {
    if (this.#beginning) return this.#forget()
    await this.control('ROLLBACK').catch((error) => {
      this.#lose(error)
      throw error
    })
  }

  #forget(): void {
    this.#beginning = undefined
  }

  #lose(error: Error): void {
    this.#lost ??= error
  }

  /** What begins, nests or ends a transaction. It takes the settings of the scope back with it. */
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
      const before = this.#consumeBeginning()
      if (!this.#bound || !sameScope(scope, this.#bound)) before.push(bindScope(scope))
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
    if (!this.knows(sent) || runningSpan()) return settled(sent.map((statement) => this.send(statement, scope)))
    if (this.#lost) throw this.#lost
    this.#corkForThisTick()
    const begun = this.#consumeBeginning().map((statement) => super.query(statement))
    const isBound = this.#bound && sameScope(scope, this.#bound)
    this.#bound = scope
    const answers = this.#submitAll(sent, isBound ? undefined : scope)
    await settled<unknown>([...begun, answers])
    return answers
  }

  /**
   * A transaction of several statements, in one message that commits them as well.
   * @throws AppError `uncertain` when the connection was lost before the answer
   */
  async commitAll(statements: readonly Statement[], scope: Scope): Promise<pg.QueryResult[]> {
    const sent = statements.map(sendable)
    if (this.#lost) throw this.#lost
    return this.#submitAll(sent, scope).catch((error) => {
      if (isRefusal(error)) throw error
      this.#lose(error)
      throw outcomeUnknown(error)
    })
  }

  /** Whether this connection has prepared all of them already, as a message of several has to suppose. */
  knows(statements: readonly Statement[]): boolean {
    const { parsedStatements } = this.connection as unknown as { parsedStatements: Record<string, string> }
    const isKnown = (name = '') => parsedStatements[name] !== undefined
    return isKnown(scopeStatement) && statements.every(({ name }) => isKnown(name))
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

  #consumeBeginning(): Statement[] {
    const before = this.#beginning ? [this.#beginning] : []
    this.#beginning = undefined
    return before
  }

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

  #submitAll(statements: readonly Statement[], scope: Scope | undefined): Promise<pg.QueryResult[]> {
    return new Promise((resolve, reject) => {
      const batch = new ScopedBatch(statements, scope, (error, results) => (error ? reject(error) : resolve([results].flat())))
      this.#submit(batch)
    })
  }

  #submit(message: ScopedRead | ScopedBatch): void {
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

  /** What is sent without waiting for each other leaves as one packet: to send one costs as much as to make a statement. */
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
