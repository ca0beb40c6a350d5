import { expect } from '@jest/globals'
import pg from 'pg'
import type { TestDatabase } from './database.js'
import { eventually } from './eventually.js'

/** A transaction of the database's owner that stays open while the test looks at what others do meanwhile. */
export interface Held {
  query(sql: string, values?: unknown[]): Promise<unknown>
  commit(): Promise<void>
}

export async function holdTransaction({ ownerUrl }: TestDatabase, sql: string, values?: unknown[]): Promise<Held> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('BEGIN')
  await owner.query(sql, values)
  return {
    query: (sql, values) => owner.query(sql, values),
    async commit() {
      await owner.query('COMMIT')
      await owner.end()
    },
  }
}

/** Resolves when so many sessions of the service wait for a lock. */
export const untilWaiting = ({ rows, url }: TestDatabase, count: number): Promise<unknown> =>
  eventually(async () => {
    const waiting = await rows(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND usename = $1 AND wait_event_type = 'Lock'",
      [new URL(url).username],
    )
    expect(waiting).toHaveLength(count)
  })
