import pg from 'pg'
import type { Statement } from './statement.js'

interface Connection {
  bind(message: { portal: string; statement: string | undefined; values: readonly unknown[] | undefined }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string }): void
  sync(): void
}

interface Answered {
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  prepare(connection: Connection): void
}

type Done = (error: Error | null, results: pg.QueryResult | pg.QueryResult[]) => void

// As in `ScopedRead`: pg declares of its Query only what its own users need.
const Query = pg.Query as unknown as new (statement: Statement, values: undefined, done: Done) => Answered

const portal = ''

/**
 * Statements in one message, before one Sync: PostgreSQL answers them together, and takes them for one transaction where none has begun (docs:
 * protocol flow, pipelining). After the first that fails it carries out none of the others. The connection has to know all of them.
 */
export class BatchMessage extends Query {
  readonly #before: readonly Statement[]
  readonly #statements: readonly Statement[]
  /** How many of those before are not answered yet. */
  #preceding: number

  /** @param before what is carried out before the statements: nobody asks for its rows */
  constructor(before: readonly Statement[], statements: readonly Statement[], done: Done) {
    super({ text: '', queryMode: 'extended' } as Statement, undefined, done)
    this.#before = before
    this.#statements = statements
    this.#preceding = before.length
  }

  override prepare(connection: Connection): void {
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

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#preceding === 0) super.handleCommandComplete(message, connection)
    else this.#preceding--
  }
}
