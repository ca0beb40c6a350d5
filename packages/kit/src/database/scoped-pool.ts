import pg from 'pg'
import type { Contexts } from './context.js'
import { ScopedClient, type Statement } from './scoped-client.js'

interface Source {
  connect(): Promise<ScopedClient & { release(broken?: boolean | Error): void }>
  query(statement: Statement): Promise<pg.QueryResult>
}

const Pool = pg.Pool as unknown as new (config: pg.PoolConfig) => Omit<pg.Pool, 'connect' | 'query'> & Source

/**
 * The pool under Prisma's adapter and under `query`. What comes here outside of a transaction is one reading statement;
 * connections are lent to transactions of `write` only.
 */
export class ScopedPool extends Pool {
  readonly #contexts: Contexts

  constructor(config: pg.PoolConfig, contexts: Contexts) {
    const lent = { ...config, pipeline: true, Client: ScopedClient, contexts }
    super(lent as unknown as pg.PoolConfig)
    this.#contexts = contexts
  }

  override async query(statement: Statement): Promise<pg.QueryResult> {
    const client = await super.connect()
    try {
      return await client.readOnce(statement)
    } finally {
      client.release()
    }
  }

  override async connect(): ReturnType<Source['connect']> {
    const transaction = this.#contexts.getStore()?.transaction
    if (!transaction) throw new Error('A transaction outside of write has no scope.')
    const client = await super.connect()
    transaction.connection = client
    return client
  }
}
