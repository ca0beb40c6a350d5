import DataLoader from 'dataloader'
import type pg from 'pg'
import { isNotPrepared, isUnavailable } from '../errors.js'
import type { LentConnection } from './scoped-client.js'
import type { ScopedStatement } from './statement.js'

/** The most reads of one packet: each of them waits for those before it. */
const max = 8

type Read = (read: ScopedStatement) => Promise<pg.QueryResult>

interface Parts {
  /** Lends a connection, which is released when all reads of the packet have been answered. */
  lend(): Promise<LentConnection>
  /** Sends a read over a connection of its own. */
  readonly readOnce: Read
}

/** The error of the reads after one that was not answered in time. */
class PacketAborted extends Error {
  constructor() {
    super('Connection terminated, because a read before this one was not answered in time.')
  }
}

/** Whether a read has failed because of another one in its packet: one that should have prepared its statement, or was not answered in time. */
const isOfAnother = (error: unknown) => isNotPrepared(error) || error instanceof PacketAborted

/**
 * Pipelines reads: those that begin in the same turn of the event loop are sent over one connection, in one packet, because sending a packet costs more CPU
 * time than building a read, and wakes a process of the server. Each is a transaction of its own under its own scope. A read that fails because of
 * another one is sent again by itself, so that it waits for one timeout of another read at most. DataLoader (graphql/dataloader) collects the reads.
 */
export function pipelinedReads({ lend, readOnce }: Parts): Read {
  const sendAll = async (reads: readonly ScopedStatement[]): Promise<Promise<pg.QueryResult>[]> => {
    const connection = await lend()
    const answers = connection.readAll(reads)
    const abort = (error: unknown) => {
      if (isUnavailable(error)) connection.connection.stream.destroy(new PacketAborted())
    }
    // No read waits for the last one.
    for (const answer of answers.slice(0, -1)) answer.catch(abort)
    void Promise.allSettled(answers).then(() => connection.release(connection.lost))
    return answers
  }
  const loader = new DataLoader(sendAll, { cache: false, maxBatchSize: max, batchScheduleFn: setImmediate })
  return async (read) => {
    try {
      return await loader.load(read)
    } catch (error) {
      if (!isOfAnother(error)) throw error
      return readOnce(read)
    }
  }
}
