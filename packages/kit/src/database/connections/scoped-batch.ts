import pg from 'pg'
import { bindScope, type Scope } from '../scope.js'
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
export class ScopedBatch extends Query {
  readonly #statements: readonly Statement[]
  readonly #scope: Scope | undefined
  #bound: boolean

  /** @param scope what the statements run under; without one, under that of the transaction */
  constructor(statements: readonly Statement[], scope: Scope | undefined, done: Done) {
    super({ text: '', queryMode: 'extended' } as Statement, undefined, done)
    this.#statements = statements
    this.#scope = scope
    this.#bound = scope === undefined
  }

  override prepare(connection: Connection): void {
    if (this.#scope) {
      const { name, values } = bindScope(this.#scope)
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

  /** The first row is what the scope has become. */
  override handleDataRow(message: unknown): void {
    if (this.#bound) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#bound) super.handleCommandComplete(message, connection)
    this.#bound = true
  }
}
