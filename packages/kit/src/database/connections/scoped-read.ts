import pg from 'pg'
import { readScope, type Scope } from '../scope.js'
import type { Statement } from './statement.js'

interface Connection {
  bind(message: { portal: string; statement: string | undefined; values: readonly unknown[] | undefined }): void
  execute(message: { portal: string }): void
  sync(): void
}

/** What the server says of the rows of a statement: it is always the same for one that is prepared. */
export interface RowDescription {
  readonly fields: readonly unknown[]
}

interface Answered {
  handleRowDescription(message: RowDescription): void
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
  readonly #statement: Statement
  readonly #described: Map<string, RowDescription>
  #bound = false

  /** @param described rows of the statements that the connection has prepared, by name: those are not asked for again */
  constructor(scope: Scope, statement: Statement, described: Map<string, RowDescription>, done: Done) {
    super(statement, undefined, done)
    this.#scope = scope
    this.#statement = statement
    this.#described = described
  }

  override prepare(connection: Connection): void {
    const { name, values } = readScope(this.#scope)
    connection.bind({ portal: '', statement: name, values })
    connection.execute({ portal: '' })
    const description = this.#described.get(this.#statement.name ?? '')
    if (description) this.#sendKnown(connection, description)
    else super.prepare(connection)
  }

  #sendKnown(connection: Connection, description: RowDescription): void {
    super.handleRowDescription(description)
    connection.bind({ portal: '', statement: this.#statement.name, values: this.#statement.values })
    connection.execute({ portal: '' })
    connection.sync()
  }

  override handleRowDescription(description: RowDescription): void {
    if (this.#statement.name) this.#described.set(this.#statement.name, description)
    super.handleRowDescription(description)
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
