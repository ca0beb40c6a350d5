import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { databaseConnection } from '../database-address/index.js'
import { applyMigrations, pendingMigrations } from './migrations.js'
import { ensureServiceRole, grantTables } from './service-role.js'

/** The advisory lock that Prisma's own engine takes, so that neither migrates while the other does. */
const prismaLock = 72707369
const lockPauseMs = 100

const kitMigrations = fileURLToPath(new URL('../../migrations', import.meta.url))

export interface MigrateOptions {
  /** The address of the database (postgresql://…), with the role that owns its tables. */
  ownerUrl: string
  /** The role with which the service connects. */
  serviceRole: string
  /** Where given, the role is created if it is missing, and gets this password. Otherwise the role must exist. */
  servicePassword?: string
  /** The service's `prisma/migrations`. */
  dir: string
}

/**
 * Migrates the database of a service: the tables of the kit in the schema `kit`, those of the service in `public`, and the privileges of the service's role.
 * Concurrent calls wait for each other.
 * @returns the names of the migrations that were applied now
 * @throws Error where a migration fails, has failed before, or was edited after it was applied, and where the role bypasses row-level security
 */
export function migrate({ ownerUrl, serviceRole, servicePassword, dir }: MigrateOptions): Promise<string[]> {
  return withConnection(ownerUrl, async (connection) => {
    await takeLock(connection)
    await ensureServiceRole(connection, serviceRole, servicePassword)
    await connection.query('CREATE SCHEMA IF NOT EXISTS kit')
    const applied = [...(await applyMigrations(connection, 'kit', kitMigrations)), ...(await applyMigrations(connection, 'public', dir))]
    await grantTables(connection, serviceRole, ['kit', 'public'])
    return applied
  })
}

/**
 * Polls for the lock. `pg_advisory_lock` would hold a snapshot while it waits, and CREATE INDEX CONCURRENTLY by the holder of the lock would wait for that
 * snapshot: a deadlock.
 */
async function takeLock(connection: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await connection.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [prismaLock])
    if (rows[0]?.taken) return
    await pause(lockPauseMs)
  }
}

/**
 * Verifies that the database of a service is up to date.
 * @param url the address of the database (postgresql://…), with the role of the service
 * @param dir the service's `prisma/migrations`
 * @throws Error with the names of the migrations that are not applied yet, or the error of the database
 */
export async function assertMigrated(url: string, dir: string): Promise<void> {
  const pending = await withConnection(url, async (connection) => [
    ...(await pendingMigrations(connection, 'kit', kitMigrations)),
    ...(await pendingMigrations(connection, 'public', dir)),
  ])
  if (pending.length > 0) throw new Error(`Migrations that are not applied yet: ${pending.join(', ')}.`)
}

async function withConnection<T>(url: string, work: (connection: pg.Client) => Promise<T>): Promise<T> {
  const connection = new pg.Client(databaseConnection(url))
  // The statement rejects as well; an 'error' without a listener would end the process.
  connection.on('error', () => undefined)
  await connection.connect()
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}
