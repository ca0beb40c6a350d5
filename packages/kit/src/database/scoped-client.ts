import pg from 'pg'
import { runningSpan } from '../tracing/index.js'
import { type Contexts, requireScope } from './context.js'
import { bindScope, readScope, type Scope, sameScope } from './scope.js'
import { ScopedRead } from './scoped-read.js'
import { traceStatement } from './statement-span.js'

/** What the kit and Prisma's adapter send. */
export type Statement = pg.QueryConfig<unknown[]>

interface Sender {
  readonly connection: pg.Connection
  query(statement: Statement): Promise<pg.QueryResult>
}

// pg declares ten overloads of `query`; only the one that answers with a promise is used here.
const Client = pg.Client as unknown as new (config: pg.ClientConfig) => Omit<pg.Client, 'query'> & Sender

/** These end or nest transactions, and take the settings of the scope back with them. */
const control = /^(begin|commit|rollback|savepoint|release|set)\b/i

/**
 * A connection on which each statement runs under the scope of the code that sent it. The settings that row-level security
 * reads are local to the transaction and travel in the same flush: no round trip more, and nothing sticks to the connection.
 */
export class ScopedClient extends Client {
  readonly #contexts: Contexts
  #bound: Scope | undefined
  #knowsReadScope = false

  constructor(config: pg.ClientConfig & { contexts: Contexts }) {
    super(config)
    this.#contexts = config.contexts
    // Statements at work are rejected as well; an 'error' that nobody listens to would end the process.
    this.on('error', () => undefined)
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
    if (control.test(statement.text)) {
      this.#bound = undefined
      return super.query(statement)
    }
    const scope = requireScope(this.#contexts)
    if (this.#bound && sameScope(scope, this.#bound)) return super.query(statement)
    this.#bound = scope
    return this.#flush([bindScope(scope), statement], statement)
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

  /** The answer to one of several statements that are sent as one packet; the first error of any of them is the error. */
  async #flush(statements: readonly Statement[], wanted: Statement): Promise<pg.QueryResult> {
    const { stream } = this.connection
    stream.cork()
    const sent = statements.map((statement) => super.query(statement))
    stream.uncork()
    // All have to settle: whoever gets the connection next must not find answers of this flush on it.
    const answers = await Promise.allSettled(sent)
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (failed) throw failed.reason
    return (answers[statements.indexOf(wanted)] as PromiseFulfilledResult<pg.QueryResult>).value
  }
}
