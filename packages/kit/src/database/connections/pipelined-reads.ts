import DataLoader from 'dataloader'
import type pg from 'pg'
import type { LentConnection } from './scoped-client.js'
import type { ScopedStatement } from './statement.js'

/** The most reads of one packet: each of them waits for those before it. */
const max = 8

/**
 * Pipelines reads: those that begin in the same turn of the event loop are sent over one connection, in one packet, because to send a packet costs more CPU
 * time than to build a read, and wakes a process of the server. Each is a transaction of its own under its own scope. DataLoader (graphql/dataloader)
 * collects them.
 * @param lend lends a connection, which is released when all reads of the packet have been answered
 */
export function pipelinedReads(lend: () => Promise<LentConnection>): (read: ScopedStatement) => Promise<pg.QueryResult> {
  const sendAll = async (reads: readonly ScopedStatement[]): Promise<Promise<pg.QueryResult>[]> => {
    const connection = await lend()
    const answers = connection.readAll(reads)
    void Promise.allSettled(answers).then(() => connection.release(connection.lost))
    return answers
  }
  const loader = new DataLoader(sendAll, { cache: false, maxBatchSize: max, batchScheduleFn: setImmediate })
  return async (read) => loader.load(read)
}
