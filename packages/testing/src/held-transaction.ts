import { expect } from '@jest/globals'
import pg from 'pg'
import type { TestDatabase } from './database.js'
import { eventually } from './eventually.js'

/** A transaction of the database owner that stays open while the test observes concurrent ones. */
export interface Held {
  /** The number of rows that the statement has found or changed. */
  readonly rowCount: number | null
  query(sql: string, values?: unknown[]): Promise<unknown>
  commit(): Promise<void>
  rollback(): Promise<void>
}

export async function holdTransaction({ ownerUrl }: TestDatabase, sql: string, values?: unknown[]): Promise<Held> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('BEGIN')
  const { rowCount } = await owner.query(sql, values)
  return {
    rowCount,
    query: (sql, values) => owner.query(sql, values),
    commit: () => owner.query('COMMIT').then(() => owner.end()),
    rollback: () => owner.end(),
  }
}

/** Long enough for a busy machine. */
const patience = { timeoutMs: 20_000 }

/** Resolves when `count` sessions wait for a lock. */
export const untilWaiting = ({ rows }: TestDatabase, count: number): Promise<unknown> =>
  eventually(async () => {
    const waiting = await rows(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND wait_event_type = 'Lock'",
    )
    expect(waiting).toHaveLength(count)
  }, patience)

/** A statement that takes the lock for which the requests wait. */
interface Lock {
  readonly sql: string
  readonly values: unknown[]
}

/** Sends requests that all need `lock`, which is released only when two of them wait for it, so that they are concurrent even on a busy machine. */
export async function meetAt<T>(database: TestDatabase, { sql, values }: Lock, requests: readonly (() => Promise<T>)[]): Promise<T[]> {
  const held = await holdTransaction(database, sql, values)
  const sent = requests.slice(0, 2).map((request) => request())
  await untilWaiting(database, sent.length)
  sent.push(...requests.slice(2).map((request) => request()))
  await held.commit()
  return Promise.all(sent)
}
