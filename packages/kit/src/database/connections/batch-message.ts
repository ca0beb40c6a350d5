import type pg from 'pg'
import type { Scope } from '../scope.js'
import { type PipelineConnection, PipelinedQuery } from './pipelined-query.js'
import type { Statement } from './statement.js'

type Results = pg.QueryResult | pg.QueryResult[]

/** A statement of a message. The rows of a `silent` one are dropped. */
export interface Part {
  readonly statement: Statement
  readonly silent?: true
}

export const answered = (statement: Statement): Part => ({ statement })
export const silently = (statement: Statement): Part => ({ statement, silent: true })

/** Statements that run under one scope. */
export interface ScopedBatch {
  readonly scope: Scope
  readonly statements: readonly Statement[]
}

const portal = ''

/**
 * Several statements before one Sync: PostgreSQL treats them as one transaction if none has begun (docs: protocol flow, pipelining). After the first one that
 * fails, the others are skipped. The connection must have prepared all of them before.
 */
export class BatchMessage extends PipelinedQuery<Results> {
  readonly #parts: readonly Part[]
  /** How many of the parts PostgreSQL has completed. */
  #answered = 0

  constructor(parts: readonly Part[], done: (error: Error | null, results: Results) => void) {
    super({ text: '', queryMode: 'extended' } as Statement, undefined, done)
    this.#parts = parts
  }

  override prepare(connection: PipelineConnection): void {
    for (const { statement, silent } of this.#parts) {
      connection.bind({ portal, statement: statement.name, values: statement.values })
      if (!silent) connection.describe({ type: 'P', name: portal })
      connection.execute({ portal })
    }
    connection.sync()
  }

  override handleDataRow(message: unknown): void {
    if (!this.#isSilent()) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: PipelineConnection): void {
    if (!this.#isSilent()) super.handleCommandComplete(message, connection)
    this.#answered++
  }

  #isSilent = () => this.#parts[this.#answered]?.silent === true
}
