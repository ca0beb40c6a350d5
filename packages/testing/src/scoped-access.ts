import { databaseConnection } from '@caseway/kit/database-address'
import pg from 'pg'
import type { TestDatabase } from './database.js'

/** The settings that the policies of row-level security read. */
export type Settings = Partial<Record<'app.customer_id' | 'app.client_id' | 'app.platform', string>>

/** Runs statements as the role of the service with these settings, in a transaction that is rolled back. */
export async function withSettings<T>(database: TestDatabase, settings: Settings, work: (connection: pg.Client) => Promise<T>): Promise<T> {
  const connection = new pg.Client(databaseConnection(database.url))
  await connection.connect()
  try {
    await connection.query('BEGIN')
    for (const [name, value] of Object.entries(settings)) await connection.query('SELECT set_config($1, $2, true)', [name, value])
    return await work(connection)
  } finally {
    await connection.end()
  }
}

/** The number of rows that a statement wrote before it was rolled back, or `refused` by row-level security. */
async function attempt(connection: pg.Client, statement: string, values: unknown[] = []): Promise<number | 'refused'> {
  await connection.query('SAVEPOINT attempt')
  try {
    return (await connection.query(statement, values)).rowCount ?? 0
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42501') return 'refused'
    throw error
  } finally {
    await connection.query('ROLLBACK TO SAVEPOINT attempt')
  }
}

export interface Attempts {
  readonly update: number | 'refused'
  readonly delete: number | 'refused'
  readonly insert: number | 'refused'
}

/** The results of an UPDATE and a DELETE of all rows of a table, and of an INSERT of a row of another owner. */
export async function attemptWrites(connection: pg.Client, table: string, row: object): Promise<Attempts> {
  const [first, ...others] = Object.keys(row).map(pg.escapeIdentifier)
  const columns = [first, ...others].join(', ')
  const copy = `SELECT ${columns} FROM jsonb_populate_record(NULL::"${table}", $1)`
  return {
    update: await attempt(connection, `UPDATE "${table}" SET ${first} = ${first}`),
    delete: await attempt(connection, `DELETE FROM "${table}"`),
    insert: await attempt(connection, `INSERT INTO "${table}" (${columns}) OVERRIDING SYSTEM VALUE ${copy}`, [row]),
  }
}

/** The result of moving an office's rows to another office. */
export const attemptTransfer = (connection: pg.Client, table: string, column: string, customerId: bigint) =>
  attempt(connection, `UPDATE "${table}" SET "${column}" = $1`, [customerId])
