import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Logger, Metrics } from '../observability/index.js'
import { createListening, type Heartbeat } from './connections/listening.js'
import { createNotifier } from './connections/notifier.js'
import { watchPool } from './connections/pool-gauges.js'
import { connectionSettings, type PoolSettings } from './connections/pool-settings.js'
import { ScopedPool } from './connections/scoped-pool.js'
import type { Statement } from './connections/statement.js'
import { warmUp } from './connections/warm-up.js'
import { translated } from './errors.js'
import { platform, type Scoped, toScope } from './scope.js'
import { statementName, toStatement } from './statements/statements.js'
import { createBatches } from './transactions/batch.js'
import { type Context, type Contexts, createContexts, runningFrame } from './transactions/context.js'
import { createDeferred } from './transactions/deferred.js'
import { readerOf } from './transactions/reader.js'
import { createRepeat } from './transactions/repeat.js'
import { createWriter } from './transactions/transaction.js'
import { transactionClient } from './transactions/transaction-client.js'
import type { Database, PrismaClientLike } from './types.js'

/** The class `PrismaClient` that `prisma generate` writes. */
export type ClientClass<Client> = new (options: { adapter: SqlDriverAdapterFactory; errorFormat: 'minimal' }) => Client

export interface DatabaseOptions<Client> {
  /** `postgresql://…` of the service's login role, which owns no tables and may not bypass row-level security. */
  url: string
  client: ClientClass<Client>
  pool?: PoolSettings
  /** The heartbeat of the connection for LISTEN. */
  heartbeat?: Heartbeat
  log: Logger
  metrics: Metrics
}

/** How many connections `warmUp` opens, so that the first requests do not wait for them. More would prolong the start of a service. */
const connectionsAtStart = 4

/** Opens a service's own database. It connects at the first statement, or by `warmUp`. */
export function createDatabase<Client extends PrismaClientLike>(options: DatabaseOptions<Client>): Database<Client> {
  const { url, log, metrics } = options
  const contexts = createContexts()
  const settings = connectionSettings(url, options.pool)
  const repeat = createRepeat(metrics)
  const pool = new ScopedPool(settings, contexts, repeat)
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  const gauges = watchPool(pool, metrics)

  const adapter = new PrismaPg(pool as unknown as pg.Pool, { statementNameGenerator: ({ sql }) => statementName(sql) })
  // The other formats show the values of a statement in error messages, and read source files for these.
  const client = new options.client({ adapter, errorFormat: 'minimal' })
  const connect = () => connectAlone(settings, log)
  const listening = createListening(connect, log, options.heartbeat)

  const close = async () => {
    gauges.stop()
    await notifier.drained()
    await listening.close()
    await client.$disconnect()
    await pool.end()
  }
  let closed: Promise<void> | undefined

  const { query, queryTexts } = createQuery(contexts, pool)
  const notifier = createNotifier((...payloads) => query(platform, CompiledQuery.raw(notifyAll, payloads)), log)
  const notify: Database<Client>['notify'] = (channel, payload) => {
    const send = () => notifier.notify(channel, payload)
    const frame = runningFrame(contexts)
    if (frame) frame.transaction.afterCommit.push(send)
    else send()
  }
  const write = createWriter(contexts, pool, transactionClient(contexts, client, notify), repeat)

  return {
    read: (scoped) => readerOf(contexts, client, toScope(scoped)),
    query,
    queryTexts,
    pipelined: createQuery(contexts, pool, { pipelined: true }),
    ...createBatches(contexts, pool, notify, repeat),
    write,
    deferred: createDeferred(contexts, pool, repeat),
    detached: { write: (...args) => contexts.exit(() => write(...args)) },
    notify,
    // The first call opens the connection for LISTEN, which must not belong to the transaction in which it may run.
    listen: (...args) => contexts.exit(() => listening.listen(...args)),
    connect: () => translated(connect()),
    warmUp: ({ timeoutMs = 15_000 } = {}) =>
      warmUp({ load: () => client.$connect(), connect: () => pool.open(connectionsAtStart) }, { timeoutMs, log }),
    close: () => (closed ??= close()),
  }
}

const notifyAll = 'SELECT pg_notify(channel, payload)::text FROM unnest($1::text[], $2::text[]) AS notification (channel, payload)'

/** Makes pg return rows as arrays of the texts that PostgreSQL sends. */
const asTexts = { rowMode: 'array', types: { getTypeParser: () => (text: string) => text } } as unknown as Partial<Statement>

function createQuery(contexts: Contexts, pool: ScopedPool, how: Pick<Context, 'pipelined'> = {}) {
  const send = async (scoped: Scoped, query: CompiledQuery<unknown>, form?: Partial<Statement>): Promise<unknown[]> => {
    const frame = runningFrame(contexts)
    const statement = { ...form, ...toStatement(query) }
    const context = { scope: toScope(scoped), frame, ...how }
    const sent = contexts.run(context, () => pool.query(statement))
    // Inside of a transaction the error is not translated: `write` decides by it whether to run the work again.
    const { rows } = await (frame ? sent : translated(sent))
    return rows
  }
  return {
    query: <Row>(scoped: Scoped, statement: CompiledQuery<Row>) => send(scoped, statement) as Promise<Row[]>,
    queryTexts: (scoped: Scoped, statement: CompiledQuery<unknown>) => send(scoped, statement, asTexts) as Promise<(string | null)[][]>,
  }
}

async function connectAlone(settings: pg.ClientConfig, log: Logger): Promise<pg.Client> {
  const connection = new pg.Client(settings)
  // Users of the connection listen for 'end'. An 'error' without a listener would end the process.
  connection.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  await connection.connect()
  return connection
}
