import pg from 'pg'
import type { Statement } from './statement.js'

/** The messages of the extended query protocol that a query in pipeline mode sends (PostgreSQL docs: message formats). */
export interface PipelineConnection {
  bind(message: { portal: string; statement: string | undefined; values: readonly unknown[] | undefined }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string }): void
  sync(): void
}

/** What the server says of the rows of a statement: it is always the same for one that is prepared. */
export interface RowDescription {
  readonly fields: readonly unknown[]
}

interface Pipelined {
  prepare(connection: PipelineConnection): void
  handleRowDescription(message: RowDescription): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: PipelineConnection): void
}

/** pg declares of its Query only what its own users need; in pipeline mode nothing else may be sent. */
export const PipelinedQuery = pg.Query as unknown as new <Result>(
  statement: Statement,
  values: undefined,
  done: (error: Error | null, result: Result) => void,
) => Pipelined
