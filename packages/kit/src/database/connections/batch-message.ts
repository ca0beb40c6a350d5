import type pg from 'pg'
import { type PipelineConnection, PipelinedQuery } from './pipelined-query.js'
import type { Statement } from './statement.js'

type Results = pg.QueryResult | pg.QueryResult[]

const portal = ''

/**
 * Statements in one message, before one Sync: PostgreSQL answers them together, and takes them for one transaction where none has begun (docs:
 * protocol flow, pipelining). After the first that fails it carries out none of the others. The connection has to know all of them.
 */
export class BatchMessage extends PipelinedQuery<Results> {
  readonly #before: readonly Statement[]
  readonly #statements: readonly Statement[]
  /** How many of those before are not answered yet. */
  #preceding: number

  /** @param before what is carried out before the statements: nobody asks for its rows */
  constructor(before: readonly Statement[], statements: readonly Statement[], done: (error: Error | null, results: Results) => void) {
    super({ text: '', queryMode: 'extended' } as Statement, undefined, done)
    this.#before = before
    this.#statements = statements
    this.#preceding = before.length
  }

  override prepare(connection: PipelineConnection): void {
    for (const { name, values } of this.#before) {
      connection.bind({ portal, statement: name, values })
      connection.execute({ portal })
    }
    for (const { name, values } of this.#statements) {
      connection.bind({ portal, statement: name, values })
      connection.describe({ type: 'P', name: portal })
      connection.execute({ portal })
    }
    connection.sync()
  }

  override handleDataRow(message: unknown): void {
    if (this.#preceding === 0) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: PipelineConnection): void {
    if (this.#preceding === 0) super.handleCommandComplete(message, connection)
    else this.#preceding--
  }
}
