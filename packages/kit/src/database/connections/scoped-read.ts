import type pg from 'pg'
import { readScope, type Scope } from '../scope.js'
import { type PipelineConnection, PipelinedQuery, type RowDescription } from './pipelined-query.js'
import type { Statement } from './statement.js'

type Done = (error: Error | null, result: pg.QueryResult) => void

/**
 * A reading statement after the one that sets its scope, both before one Sync: PostgreSQL treats them as one transaction without BEGIN and COMMIT
 * (docs: protocol flow, pipelining). The connection must have prepared `readScope` before.
 */
export class ScopedRead extends PipelinedQuery<pg.QueryResult> {
  readonly #scope: Scope
  readonly #statement: Statement
  readonly #described: Map<string, RowDescription>
  #bound = false

  /** @param described the cached row descriptions of prepared statements, by name: they are not requested again */
  constructor(scope: Scope, statement: Statement, described: Map<string, RowDescription>, done: Done) {
    super(statement, undefined, done)
    this.#scope = scope
    this.#statement = statement
    this.#described = described
  }

  override prepare(connection: PipelineConnection): void {
    const { name, values } = readScope(this.#scope)
    connection.bind({ portal: '', statement: name, values })
    connection.execute({ portal: '' })
    const description = this.#described.get(this.#statement.name ?? '')
    if (description) this.#sendKnown(connection, description)
    else super.prepare(connection)
  }

  #sendKnown(connection: PipelineConnection, description: RowDescription): void {
    super.handleRowDescription(description)
    connection.bind({ portal: '', statement: this.#statement.name, values: this.#statement.values })
    connection.execute({ portal: '' })
    connection.sync()
  }

  override handleRowDescription(description: RowDescription): void {
    if (this.#statement.name) this.#described.set(this.#statement.name, description)
    super.handleRowDescription(description)
  }

  /** Drops the row of the statement that sets the scope. */
  override handleDataRow(message: unknown): void {
    if (this.#bound) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: PipelineConnection): void {
    if (this.#bound) super.handleCommandComplete(message, connection)
    this.#bound = true
  }
}
