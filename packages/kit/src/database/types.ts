import type { ITXClientDenyList } from '@prisma/client/runtime/client'
import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Isolation } from './isolation.js'
import type { Scoped } from './scope.js'
import type { BatchStatement } from './statements/batch-statement.js'
import type { Deferred } from './transactions/deferred-work.js'

/** The methods of a generated Prisma client that the kit calls. */
export interface PrismaClientLike {
  $connect(): Promise<void>
  $disconnect(): Promise<void>
}

/** The methods of a transaction that the kit uses for its own tables. */
export interface RawTransaction {
  $executeRaw(sql: TemplateStringsArray, ...values: unknown[]): PromiseLike<number>
  $executeRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<number>
  /** See `Database.notify`. */
  $notify(channel: string, payload?: string): void
}

/**
 * Prisma's client inside of a transaction, without `findUnique` (see `ReaderOf`). Its raw statements are prepared, and return values of the same types as
 * `query` does.
 */
export type TransactionOf<Client> = {
  readonly [Key in Exclude<keyof Client, ITXClientDenyList>]: Client[Key] extends { findMany: unknown }
    ? Omit<Client[Key], 'findUnique' | 'findUniqueOrThrow'>
    : Client[Key]
} & RawTransaction

type ReadOperation = 'findFirst' | 'findFirstOrThrow' | 'findMany' | 'count' | 'aggregate' | 'groupBy'

/**
 * The reading operations of a Prisma client. `findUnique` is missing on purpose: Prisma combines those of one tick into one statement, across requests
 * and so across tenants. Use `findFirst` instead.
 */
export type ReaderOf<Client> = {
  readonly [Model in keyof Client as Client[Model] extends { findMany: unknown } ? Model : never]: Pick<
    Client[Model],
    ReadOperation & keyof Client[Model]
  >
}

export interface Listener {
  /** Called with the payload of each notification. */
  onPayload(payload: string): void
  /** Called when the connection was opened again after a loss. Notifications in between are lost, so that the listener must read the state again. */
  onReconnect?(): void
}

/** A service's own database. Every statement runs under a scope; a statement without one throws. */
export interface Database<Client> {
  /**
   * A reading Prisma client bound to `scope`. Each statement is a read-only transaction of one round trip, and is repeated when the connection is lost before
   * its answer. Inside of `write` it runs in that transaction instead, and sees its writes. `findFirst` and `findFirstOrThrow` are pipelined (see `pipelined`),
   * so that an index must serve them.
   * @throws AppError `unavailable` when the database does not answer, or not in time
   */
  read(scope: Scoped): ReaderOf<Client>

  /**
   * Runs a statement built by Kysely under the same rules as `read`, and returns its rows. 64-bit integers are returned as bigint, timestamps as Date, dates
   * and numerics as text.
   */
  query<Row>(scope: Scoped, statement: CompiledQuery<Row>): Promise<Row[]>

  /** As `query`, but each row is an array of the texts that PostgreSQL sends, in the order of the selected columns. Timestamps are in UTC. */
  queryTexts(scope: Scoped, statement: CompiledQuery<unknown>): Promise<(string | null)[][]>

  /**
   * `query` and `queryTexts` for frequent reads of a few rows by an index: those that begin in the same turn of the event loop, of whatever scopes, share a
   * connection and a packet, up to eight. That costs client and server less CPU time, but each waits for the answers to those before it, so that a slow
   * statement delays others. In a trace that is recorded they are sent as by `query`.
   */
  readonly pipelined: Pick<Database<Client>, 'query' | 'queryTexts'>

  /**
   * Runs `work` in one transaction bound to `scope`, and returns its result after the commit. A `write` inside of another one is a savepoint of that
   * transaction; several of them at once take turns. The outermost `work` is run up to three times when it fails by a deadlock, a serialization failure or a
   * connection that is lost before the commit.
   *
   * `work` must await everything that it begins: a statement that is sent while a nested write is open, or after the end of its transaction, throws, and
   * the transaction fails when `work` ends before a nested write. When a statement fails, its transaction or nested write is rolled back, even if
   * `work` catches the error.
   * @throws whatever `work` throws
   * @throws AppError `unavailable` when the database cannot be reached, or no try succeeded
   * @throws AppError `uncertain` (OUTCOME_UNKNOWN) when the connection was lost before COMMIT was answered
   * @throws Error when a nested write demands another isolation level than that of its transaction
   */
  write<T>(scope: Scoped, work: (tx: TransactionOf<Client>) => Promise<T>, options?: { isolation?: Isolation }): Promise<T>

  /**
   * Runs statements that do not depend on each other's results as one transaction bound to `scope`. They are sent in one message together with COMMIT, so that
   * rows are locked only briefly. They run in order, and each sees the writes of those before it. Inside of `write` they are part of its transaction.
   * They are repeated as `write` is, but the outcome is unknown when the connection is lost after they were sent.
   *
   * A connection that has not prepared the statements yet sends several messages. So do statements without a name (see `statementName`), and all in a trace
   * that is recorded.
   * @returns the rows of `first`
   * @throws AppError `unavailable` and `uncertain` as `write`
   */
  batch<Row>(scope: Scoped, first: BatchStatement<Row>, ...others: readonly BatchStatement[]): Promise<Row[]>

  /**
   * As `batch`, with group commit: batches that arrive while a transaction is under way share the next one, whatever their scopes, in one message. A group
   * holds the locks of all its batches until its commit. When PostgreSQL rejects one of them, or a lock is not free within 50 ms, the group is rolled back
   * and the batches of each scope get a transaction of their own; when that is rejected, each batch does. For frequent writes that lock few rows.
   */
  groupedBatch<Row>(scope: Scoped, first: BatchStatement<Row>, ...others: readonly BatchStatement[]): Promise<Row[]>

  /**
   * A transaction that begins, and takes a connection, with the first write of its work. Reads before that run outside of it. See `DeferredWork`.
   * @throws as `write`
   */
  readonly deferred: Deferred

  /**
   * `write` in a transaction of its own, even inside of another one: its writes stay when the other is rolled back. Inside of a transaction it needs a second
   * connection.
   */
  readonly detached: Pick<Database<Client>, 'write'>

  /**
   * Sends NOTIFY to the listeners of `channel`: after the commit of the running transaction, not at all when that is rolled back, or at once where none is
   * running. A process sends at most one statement every 10 ms, with each payload once. A crash loses notifications that were not sent, so that listeners
   * must poll as well.
   * @param payload less than 8,000 bytes. Default empty
   */
  notify(channel: string, payload?: string): void

  /**
   * Listens to `channel`, on the one connection that this database keeps for LISTEN. Resolves when the server listens, or when the database does not answer:
   * then the server listens as soon as it answers, and `onReconnect` is called.
   */
  listen(channel: string, listener: Listener | Listener['onPayload']): Promise<{ stop(): Promise<void> }>

  /**
   * Opens a dedicated connection with the settings of the pool, for session-level locks and LISTEN: a connection pooler in front of PostgreSQL must use
   * session pooling. The caller ends it.
   * @throws AppError `unavailable` when it cannot be opened
   */
  connect(): Promise<pg.Client>

  /**
   * Opens up to four connections and loads the engine of Prisma, which may take longer than a request waits for a connection: await it before the service
   * accepts requests. When the database does not answer within `timeoutMs` (default 15,000), it logs a warning and resolves.
   */
  warmUp(options?: { timeoutMs?: number }): Promise<void>

  /** Sends pending notifications, waits for running statements, and closes all connections. May be called twice. */
  close(): Promise<void>
}
