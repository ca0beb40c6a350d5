import pg from 'pg'
import { type Contexts, runningTransaction } from './context.js'
import { nestedTransaction } from './nested-transaction.js'
import { ScopedClient, type Statement } from './scoped-client.js'

type Lent = ScopedClient & { release(broken?: boolean | Error): void }

interface Source {
  connect(): Promise<Lent>
  query(statement: Statement): Promise<pg.QueryResult>
}

const Pool = pg.Pool as unknown as new (config: pg.PoolConfig) => Omit<pg.Pool, 'connect' | 'query'> & Source

/**
 * The pool under Prisma's adapter and under `query`. A statement belongs to the transaction that is running where it was sent; where
 * none is, it only reads, in a transaction of its own.
 */
export class ScopedPool extends Pool {
  readonly #contexts: Contexts

  constructor(config: pg.PoolConfig, contexts: Contexts) {
    const lent = { ...config, pipeline: true, Client: ScopedClient, contexts }
    super(lent as unknown as pg.PoolConfig)
    this.#contexts = contexts
  }

  override async query(statement: Statement): Promise<pg.QueryResult> {
    const transaction = runningTransaction(this.#contexts)
    if (transaction) return transaction.connection.query(statement)
    const client = await super.connect()
    try {
      return await client.readOnce(statement)
    } finally {
      client.release()
    }
  }

  /** A connection for a transaction of `write`. */
  lend(): Promise<Lent> {
    return super.connect()
  }

  /** Prisma begins a transaction by itself where one of its operations takes several statements. */
  override async connect(): Promise<Lent> {
    const transaction = runningTransaction(this.#contexts)
    if (!transaction) throw new Error('A transaction outside of write has no scope.')
    return nestedTransaction(transaction) as unknown as Lent
  }
}
