import { expect } from '@jest/globals'
import pg from 'pg'
import type { TestDatabase } from './database.js'
import { eventually } from './eventually.js'

/** A transaction of the database's owner that stays open while the test looks at what others do meanwhile. */
export interface Held {
  /** How many rows the statement has found or changed. */
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

/** A session that is to wait begins to however busy the machine is. */
const patience = { timeoutMs: 20_000 }

/** Resolves when so many sessions wait for a lock, whether of the service or of the test. */
export const untilWaiting = ({ rows }: TestDatabase, count: number): Promise<unknown> =>
  eventually(async () => {
    const waiting = await rows(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND wait_event_type = 'Lock'",
    )
    expect(waiting).toHaveLength(count)
  }, patience)

/** What several requests wait for: a statement that locks it. */
interface Lock {
  readonly sql: string
  readonly values: unknown[]
}

/** Sends requests all at once that wait for `lock`: the first two wait before it is released, so that they meet however busy the machine is. */
export async function meetAt<T>(database: TestDatabase, { sql, values }: Lock, requests: readonly (() => Promise<T>)[]): Promise<T[]> {
  const held = await holdTransaction(database, sql, values)
  const sent = requests.slice(0, 2).map((request) => request())
  await untilWaiting(database, sent.length)
  sent.push(...requests.slice(2).map((request) => request()))
  await held.commit()
  return Promise.all(sent)
}
