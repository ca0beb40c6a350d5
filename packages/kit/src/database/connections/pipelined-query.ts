import pg from 'pg'
import type { Statement } from './statement.js'

/** The messages of the extended query protocol that a query in pipeline mode sends (PostgreSQL docs: message formats). */
export interface PipelineConnection {
  bind(message: { portal: string; statement: string | undefined; values: readonly unknown[] | undefined }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string }): void
  sync(): void
}

/** The columns of the rows of a statement (RowDescription); they do not change for a prepared statement. */
export interface RowDescription {
  readonly fields: readonly unknown[]
}

interface Pipelined {
  prepare(connection: PipelineConnection): void
  handleRowDescription(message: RowDescription): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: PipelineConnection): void
}

/** `pg.Query` with the methods that the types of pg do not declare. In pipeline mode only instances of it may be sent. */
export const PipelinedQuery = pg.Query as unknown as new <Result>(
  statement: Statement,
  values: undefined,
  done: (error: Error | null, result: Result) => void,
) => Pipelined
