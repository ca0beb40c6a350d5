import pg from 'pg'
import { runningSpan } from '../tracing/index.js'
import { type Contexts, requireScope } from './context.js'
import { bindScope, readScope, type Scope, sameScope } from './scope.js'
import { ScopedRead } from './scoped-read.js'
import { traceStatement } from './statement-span.js'
import type { Isolation } from './types.js'

/** What the kit and Prisma's adapter send. */
export type Statement = pg.QueryConfig<unknown[]>

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

/** These end or nest transactions, and take the settings of the scope back with them. */
const control = /^(begin|commit|rollback|savepoint|release|set)\b/i

/**
 * A connection on which each statement runs under the scope of the code that sent it. The settings that row-level security
 * reads are local to the transaction and travel in the same packet: no round trip more, and nothing sticks to the connection.
 */
export class ScopedClient extends Client {
  readonly #contexts: Contexts
  #bound: Scope | undefined
  /** The transaction that begins with its first statement. */
  #beginning: Statement | undefined
  #knowsReadScope = false

  constructor(config: pg.ClientConfig & { contexts: Contexts }) {
    super(config)
    this.#contexts = config.contexts
    // Statements at work are rejected as well; an 'error' that nobody listens to would end the process.
    this.on('error', () => undefined)
  }

  /** What comes next on this connection is a transaction. Its BEGIN travels with its first statement. */
  begin(isolation?: Isolation): void {
    this.#beginning = { text: isolation ? `BEGIN ISOLATION LEVEL ${levels[isolation]}` : 'BEGIN' }
  }

  /** @throws when what was done before has already undone the transaction: PostgreSQL would call that a success */
  async commit(): Promise<void> {
    if (this.#beginning) return this.#forget()
    const { command } = await this.query({ text: 'COMMIT' })
    if (command === 'ROLLBACK') throw new Error('The transaction had failed before its commit.')
  }

  async rollback(): Promise<void> {
    if (this.#beginning) return this.#forget()
    await this.query({ text: 'ROLLBACK' })
  }

  #forget(): void {
    this.#beginning = undefined
  }

  /** A statement of the transaction that holds this connection. */
  override query(statement: Statement): Promise<pg.QueryResult> {
    const span = runningSpan()
    return span ? traceStatement(span, statement.text, () => this.#send(statement)) : this.#send(statement)
  }

  /** A transaction of one reading statement. */
  readOnce(statement: Statement): Promise<pg.QueryResult> {
    const span = runningSpan()
    return span ? traceStatement(span, statement.text, () => this.#sendAlone(statement)) : this.#sendAlone(statement)
  }

  #send(statement: Statement): Promise<pg.QueryResult> {
    const before = this.#beginning ? [this.#beginning] : []
    this.#beginning = undefined
    if (control.test(statement.text)) {
      this.#bound = undefined
      return this.#flush([...before, statement])
    }
    const scope = requireScope(this.#contexts)
    if (!this.#bound || before.length > 0 || !sameScope(scope, this.#bound)) before.push(bindScope(scope))
    this.#bound = scope
    return this.#flush([...before, statement])
  }

  async #sendAlone(statement: Statement): Promise<pg.QueryResult> {
    const scope = requireScope(this.#contexts)
    if (!this.#knowsReadScope) {
      await super.query(readScope(scope))
      this.#knowsReadScope = true
    }
    return new Promise((resolve, reject) => {
      const read = new ScopedRead(scope, statement, (error, result) => (error ? reject(error) : resolve(result)))
      this.#submit(read)
    })
  }

  #submit(read: ScopedRead): void {
    super.query(read as unknown as Statement)
  }

  /** The answer to the last of some statements; the first error of any of them is the error. */
  async #flush(statements: readonly Statement[]): Promise<pg.QueryResult> {
    this.#corkForThisTick()
    const [only] = statements
    if (only && statements.length === 1) return super.query(only)
    const sent = statements.map((statement) => super.query(statement))
    // All have to settle: whoever gets the connection next must not find answers of this flush on it.
    const answers = await Promise.allSettled(sent)
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (failed) throw failed.reason
    return (answers.at(-1) as PromiseFulfilledResult<pg.QueryResult>).value
  }

  /** What is sent without waiting for each other leaves as one packet: to send one costs as much as to make a statement. */
  #corkForThisTick(): void {
    const { stream } = this.connection
    if (stream.writableCorked > 0) return
    stream.cork()
    process.nextTick(() => stream.uncork())
  }
}
