import type { ITXClientDenyList } from '@prisma/client/runtime/client'
import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Isolation } from './isolation.js'
import type { Scoped } from './scope.js'
import type { BatchStatement } from './statements/batch-statement.js'
import type { Deferred } from './transactions/deferred-work.js'

/** What the kit itself asks of a generated Prisma client. */
export interface PrismaClientLike {
  $connect(): Promise<void>
  $disconnect(): Promise<void>
}

/** The part of a transaction that the kit's own tables need. */
export interface RawTransaction {
  $executeRaw(sql: TemplateStringsArray, ...values: unknown[]): PromiseLike<number>
  $executeRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<number>
  /** See `Database.notify`. */
  $notify(channel: string, payload?: string): void
}

/**
 * Prisma's client inside of a transaction. `findUnique` is missing here as well; see `ReaderOf`. Its raw statements are prepared, and
 * answer as `query` does.
 */
export type TransactionOf<Client> = {
  readonly [Key in Exclude<keyof Client, ITXClientDenyList>]: Client[Key] extends { findMany: unknown }
    ? Omit<Client[Key], 'findUnique' | 'findUniqueOrThrow'>
    : Client[Key]
} & RawTransaction

type ReadOperation = 'findFirst' | 'findFirstOrThrow' | 'findMany' | 'count' | 'aggregate' | 'groupBy'

/**
 * The reading half of a Prisma client. `findUnique` is missing on purpose: Prisma gathers several of one tick into one
 * statement, across requests and so across tenants; `findFirst` does the same work alone.
 */
export type ReaderOf<Client> = {
  readonly [Model in keyof Client as Client[Model] extends { findMany: unknown } ? Model : never]: Pick<
    Client[Model],
    ReadOperation & keyof Client[Model]
  >
}

export interface Listener {
  /** One payload of the channel. */
  onPayload(payload: string): void
  /** The connection was lost and is back: payloads in between are lost, so read again what they would have said. */
  onReconnect?(): void
}

/** A service's own database. Every statement runs inside of a scope; a statement without one throws. */
export interface Database<Client> {
  /**
   * A reading Prisma client bound to `scope`. Each statement is one read-only transaction in one round trip, and is sent again when
   * the connection was lost before its answer; inside of `write` it runs in that transaction instead, and sees what it wrote.
   */
  read(scope: Scoped): ReaderOf<Client>

  /**
   * The rows of a statement built by Kysely, read like those of `read`. Integers of 64 bits are bigint, timestamps Date,
   * dates and numerics text.
   */
  query<Row>(scope: Scoped, statement: CompiledQuery<Row>): Promise<Row[]>

  /** The same rows as PostgreSQL writes them, timestamps in UTC: the texts of what the statement selects, in its order. */
  queryTexts(scope: Scoped, statement: CompiledQuery<unknown>): Promise<(string | null)[][]>

  /**
   * One transaction bound to `scope`; inside of another `write` it joins that one as a savepoint. Writes that join one transaction at once
   * take turns. The outermost is run again, three times in all, when it fails by a deadlock, a serialization failure or a lost connection
   * before the commit.
   *
   * What `work` begins it also awaits: a statement beside an open nested write, or after the end of its transaction, throws, and so does
   * work that ends before a write in it. A transaction, or a nested write, in which a statement failed is undone, caught or not.
   * @throws AppError `unavailable` when the database cannot be reached, or no try succeeded
   * @throws AppError `uncertain` (OUTCOME_UNKNOWN) when the connection was lost before COMMIT was answered
   * @throws Error when a nested write asks for another isolation than its transaction has
   */
  write<T>(scope: Scoped, work: (tx: TransactionOf<Client>) => Promise<T>, options?: { isolation?: Isolation }): Promise<T>

  /**
   * Statements that need no answer of each other, as one transaction bound to `scope`: with its commit one message to the server and one
   * answer, so that rows are locked for as short as can be. They run in their order, and each sees what those before it have written. Inside of
   * `write` they are part of its transaction. Repeated as `write` is, but a connection that is lost while they are under way leaves it open
   * whether they were committed.
   *
   * The first of a connection are prepared, in a transaction of several messages. So are all whose trace is recorded, and those without a
   * name (see `statementName`).
   * @returns the rows of the first
   * @throws AppError `unavailable` and `uncertain` as `write`
   */
  batch<Row>(scope: Scoped, first: BatchStatement<Row>, ...others: readonly BatchStatement[]): Promise<Row[]>

  /**
   * As `batch`, of which those that come while one is under way share the next transaction, whatever their scopes are: one message and one commit for
   * all of them, and none waits for the locks of another. A group holds the locks of each of its batches until its commit. Where PostgreSQL
   * refuses one, or a lock is not free within 50 ms, those of each scope are a transaction of their own, and where it refuses that, each is. For
   * writes of which many come at once, and that lock few rows.
   */
  groupedBatch<Row>(scope: Scoped, first: BatchStatement<Row>, ...others: readonly BatchStatement[]): Promise<Row[]>

  /**
   * One transaction for work that writes late: it takes a connection with the first `write` of the work. What is read before that is read
   * outside of it. Errors are those of `write`.
   */
  readonly deferred: Deferred

  /**
   * The same as `write`, outside of any transaction, also where one is running: what it writes stays, whatever becomes of that one. It takes a
   * connection of its own, so that one in a transaction needs two.
   */
  readonly detached: Pick<Database<Client>, 'write'>

  /**
   * NOTIFY to the listeners of `channel`: after the commit of the running transaction (when it is undone, not at all), or now where none is
   * running. A process sends at most one statement every 10 ms, with each payload once. A crash loses what was not sent: listeners poll as
   * well. `payload` has less than 8,000 bytes; without one it is empty.
   */
  notify(channel: string, payload?: string): void

  /**
   * LISTEN on the one connection that this database keeps for it. Resolves when the server listens. Where the database does not answer it resolves as well, and
   * the server listens as soon as it does, which `onReconnect` tells.
   */
  listen(channel: string, listener: Listener | Listener['onPayload']): Promise<{ stop(): Promise<void> }>

  /**
   * A connection of one's own with the settings of the pool, for locks and LISTEN that live longer than a transaction: a pooler
   * in between has to keep sessions.
   */
  connect(): Promise<pg.Client>

  /**
   * To be awaited before a service listens: opens the first connections, four at most, and loads the engine of Prisma. Together they may take longer than a
   * request waits for a connection. Where the database does not answer for `timeoutMs` (default 15,000) a line of the log says so, and the
   * service starts without it.
   */
  warmUp(options?: { timeoutMs?: number }): Promise<void>

  /** Waits for what is under way. May be called twice. */
  close(): Promise<void>
}
