import type pg from 'pg'
import type { Database } from '../database/index.js'
import type { Logger } from '../observability/index.js'
import type { Running } from './transport.js'
import { pauseUnless } from './waiting.js'

export interface LeadershipOptions {
  /** Of the service: its copies have it in common. */
  db: Database<unknown>
  /** The advisory lock that the one copy holds. */
  lock: number
  /** Names it in the log. */
  name: string
  log: Logger
  /** Pause between two looks at the lock. Default 1,000 ms. */
  pollMs?: number
}

/** What one copy does while it leads, until `over`; `lost` is aborted when its connection, and with it the lock, has gone. */
export type LeaderTask = (connection: pg.Client, over: AbortSignal, lost: AbortSignal) => Promise<void>

/**
 * Does something in one of all copies: in whichever holds an advisory lock, on a connection of its own. When that connection is lost,
 * another takes over, and this one waits in line again.
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

/** The life of one connection: wait for the lock, lead until the connection or the whole ends. */
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
