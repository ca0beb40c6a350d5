import type pg from 'pg'
import type { Database } from '../database/index.js'
import type { Logger } from '../observability/index.js'
import type { Running } from './transport.js'
import { pauseUnless } from './waiting.js'

export interface LeadershipOptions {
  /** The database of the service, in which its copies compete for the lock. */
  db: Database<unknown>
  /** The key of the advisory lock that the leader holds. */
  lock: number
  /** The name of the leader in the log, such as `the relay`. */
  name: string
  log: Logger
  /** The interval in which the lock is polled, in milliseconds. Default 1,000. */
  pollMs?: number
}

/** The work of a leader. It ends when `over` is aborted: on `stop`, or when the connection, and with it the lock, is lost, which aborts `lost` as well. */
export type LeaderTask = (connection: pg.Client, over: AbortSignal, lost: AbortSignal) => Promise<void>

/**
 * Runs `task` in one of all copies: the leader, which holds a session-level advisory lock on a dedicated connection. When that connection is lost, another
 * copy takes over, and this one waits for the lock again.
 */
export function runAsLeader(options: LeadershipOptions, task: LeaderTask): Running {
  const { name, log, pollMs = 1000 } = options
  const stopping = new AbortController()
  const terms = async () => {
    while (!stopping.signal.aborted) {
      await waitAndLead(options, task, stopping.signal).catch((err) => log.warn({ err }, `${name} lost its connection`))
      await pauseUnless(stopping.signal, pollMs)
    }
  }
  const done = terms()
  return {
    stop() {
      stopping.abort()
      return done
    },
  }
}

/** Opens a connection, waits for the lock, and runs the task until the connection is lost or `stopping` is aborted. */
async function waitAndLead({ db, lock, name, pollMs = 1000 }: LeadershipOptions, task: LeaderTask, stopping: AbortSignal): Promise<void> {
  const connection = await db.connect()
  const lost = new AbortController()
  connection.once('end', () => lost.abort(new Error(`The connection of ${name} was lost.`)))
  const over = AbortSignal.any([stopping, lost.signal])
  const mayLead = async () => {
    const { rows } = await connection.query<{ leads: boolean }>('SELECT pg_try_advisory_lock($1) AS leads', [lock])
    return rows[0]?.leads
  }
  try {
    while (!over.aborted && !(await mayLead())) await pauseUnless(over, pollMs)
    if (!over.aborted) await task(connection, over, lost.signal)
  } finally {
    await connection.end()
  }
}
