import pg from 'pg'
import { runningSpan } from '../../tracing/index.js'
import { type Contexts, requireContext } from '../transactions/context.js'
import { nestedTransaction } from '../transactions/nested-transaction.js'
import type { Repeat } from '../transactions/repeat.js'
import { connectionBreaker } from './connection-breaker.js'
import { pipelinedReads } from './pipelined-reads.js'
import { type LentConnection, ScopedClient } from './scoped-client.js'
import type { ScopedStatement, Statement } from './statement.js'

interface Source {
  connect(): Promise<LentConnection>
  query(statement: Statement): Promise<pg.QueryResult>
}

const Pool = pg.Pool as unknown as new (config: pg.PoolConfig) => Omit<pg.Pool, 'connect' | 'query'> & Source

/**
 * The pool that Prisma's adapter and `query` use. A statement runs in the transaction of the code that sends it, or, outside of one, in a read-only
 * transaction of its own.
 */
export class ScopedPool extends Pool {
  readonly #contexts: Contexts
  readonly #repeat: Repeat
  readonly #readPipelined = pipelinedReads({ lend: () => this.lend(), readOnce: (read) => this.#readOnce(read) })

  constructor({ query_timeout: silenceMs, ...config }: pg.PoolConfig, contexts: Contexts, repeat: Repeat) {
    super({ ...config, silenceMs, opening: connectionBreaker(), pipeline: true, Client: ScopedClient } as unknown as pg.PoolConfig)
    this.#contexts = contexts
    this.#repeat = repeat
  }

  override async query(statement: Statement): Promise<pg.QueryResult> {
    const { scope, frame, pipelined } = requireContext(this.#contexts)
    if (frame) return frame.send(statement, scope)
    // In a trace that is recorded each statement has a span, and so a packet of its own.
    const isPipelined = pipelined && !runningSpan()
    const read = { scope, statement }
    return this.#repeat(() => (isPipelined ? this.#readPipelined(read) : this.#readOnce(read)))
  }

  async #readOnce({ statement, scope }: ScopedStatement): Promise<pg.QueryResult> {
    const client = await this.lend()
    try {
      return await client.readOnce(statement, scope)
    } finally {
      client.release(client.lost)
    }
  }

  /**
   * Lends a connection, which the caller must release. Where none is idle, pg-pool opens a new one for this caller. When that fails, for instance because the
   * machine is busy, the caller gets a connection that is idle by then, after at most twice the connection timeout.
   */
  async lend(): Promise<LentConnection> {
    try {
      return await super.connect()
    } catch (error) {
      if (this.idleCount === 0) throw error
      return super.connect()
    }
  }

  /** Opens `count` connections, or as many as the pool may have and the server accepts, and leaves them idle. Rejects when none can be opened. */
  async open(count: number): Promise<void> {
    const opening = Array.from({ length: Math.min(count, this.options.max) }, () => this.lend())
    for (const opened of await Promise.allSettled(opening)) if (opened.status === 'fulfilled') opened.value.release()
    await Promise.any(opening)
  }

  /** Called when Prisma begins a transaction by itself, for an operation of several statements. @throws Error outside of `write` */
  override async connect(): Promise<LentConnection> {
    const { scope, frame } = requireContext(this.#contexts)
    if (!frame) throw new Error('Prisma needs a transaction for this: it is possible inside of write only.')
    return nestedTransaction(await frame.nest(), scope) as unknown as LentConnection
  }
}
