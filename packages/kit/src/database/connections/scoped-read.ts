import pg from 'pg'
import { readScope, type Scope } from '../scope.js'
import type { Statement } from './scoped-client.js'

interface Connection {
  bind(message: { portal: string; statement: string; values: readonly unknown[] }): void
  execute(message: { portal: string }): void
}

interface Answered {
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  prepare(connection: Connection): void
}

type Done = (error: Error | null, result: pg.QueryResult) => void

// pg declares of its Query only what its own users need; in pipeline mode nothing else may be sent.
const Query = pg.Query as unknown as new (statement: Statement, values: undefined, done: Done) => Answered

/**
 * One reading statement with its scope in front of it: two executions before one Sync, which PostgreSQL takes for one transaction
 * (docs: protocol flow, pipelining). No BEGIN, no COMMIT, one answer. `readScope` has to be known to the connection.
 */
export class ScopedRead extends Query {
  readonly #scope: Scope
  #bound = false

  constructor(scope: Scope, statement: Statement, done: Done) {
    super(statement, undefined, done)
    this.#scope = scope
  }

  override prepare(connection: Connection): void {
    const { name, values } = readScope(this.#scope)
    connection.bind({ portal: '', statement: name, values })
    connection.execute({ portal: '' })
    super.prepare(connection)
  }

  /** The first row is what the scope has become. */
  override handleDataRow(message: unknown): void {
    if (this.#bound) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#bound) super.handleCommandComplete(message, connection)
    this.#bound = true
  }
}
