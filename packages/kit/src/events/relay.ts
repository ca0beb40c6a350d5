import { CompiledQuery } from 'kysely'
import { type Database, platform } from '../database/index.js'
import type { Logger, Metrics } from '../observability/index.js'
import { lead } from './leader.js'
import type { EventTransport, Running } from './transport.js'
import { pauseUnless } from './waiting.js'

export interface RelayOptions {
  db: Database<unknown>
  transport: EventTransport
  log: Logger
  metrics: Metrics
  /** Events of one publication. Default 100. */
  batch?: number
  /** Pause between two looks at the outbox when nothing wakes the relay, and at the leader's lock. Default 1,000 ms. */
  pollMs?: number
  /** How long `stop` waits for a publication that is under way. Default 5,000 ms. */
  graceMs?: number
}

/** The advisory lock of the one relay that publishes, in the service's own database. */
const leaderLock = 1801745505
const gaugeEveryMs = 5000

/**
 * Publishes a service's outbox. One of all copies leads, by an advisory lock on a connection of its own, and publishes in order;
 * an event is marked after it was published, so that a crash repeats events and loses none.
 */
export function startRelay(options: RelayOptions): Running {
  const { pollMs = 1000, graceMs = 5000, log } = options
  const stopping = new AbortController()
  const givingUp = new AbortController()
  const gauge = setInterval(() => void showOldest(options), gaugeEveryMs).unref()
  void showOldest(options)

  const terms = async () => {
    while (!stopping.signal.aborted) {
      await term(options, stopping.signal, givingUp.signal).catch((err) => log.warn({ err }, 'the relay lost its connection'))
      await pauseUnless(stopping.signal, pollMs)
    }
  }
  const done = terms()
  return {
    async stop() {
      clearInterval(gauge)
      stopping.abort()
      const grace = setTimeout(() => givingUp.abort(new Error('The relay was stopped.')), graceMs)
      await done
      clearTimeout(grace)
    },
  }
}

/** The life of one connection: wait for the lock, lead until the connection or the relay ends. */
async function term(options: RelayOptions, stopping: AbortSignal, givingUp: AbortSignal): Promise<void> {
  const { db, pollMs = 1000 } = options
  const connection = await db.connect()
  const lost = new AbortController()
  connection.once('end', () => lost.abort(new Error('The connection of the relay was lost.')))
  const over = AbortSignal.any([stopping, lost.signal])
  const mayLead = async () => {
    const { rows } = await connection.query<{ leads: boolean }>('SELECT pg_try_advisory_lock($1) AS leads', [leaderLock])
    return rows[0]?.leads
  }
  try {
    while (!over.aborted && !(await mayLead())) await pauseUnless(over, pollMs)
    await lead(connection, options, over, AbortSignal.any([givingUp, lost.signal]))
  } finally {
    await connection.end()
  }
}

/** Every copy shows it, leader or not: that nobody leads is what it has to show. */
async function showOldest({ db, metrics, log }: RelayOptions): Promise<void> {
  const statement = `
    SELECT extract(epoch FROM now() - created)::float8 AS seconds FROM kit.outbox
    WHERE published_at IS NULL ORDER BY id LIMIT 1`
  try {
    const [oldest] = await db.query(platform, CompiledQuery.raw(statement) as CompiledQuery<{ seconds: number }>)
    metrics.outboxOldest.set(oldest?.seconds ?? 0)
  } catch (err) {
    log.warn({ err }, 'the age of the outbox could not be read')
  }
}
