import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { databaseConnection } from '../database-address/index.js'
import { applyMigrations, pendingMigrations } from './migrations.js'
import { ensureServiceRole, grantTables } from './service-role.js'

/** The advisory lock that Prisma's own engine takes, so that neither runs beside the other. */
const prismaLock = 72707369
const lockPauseMs = 100

const kitMigrations = fileURLToPath(new URL('../../migrations', import.meta.url))

export interface MigrateOptions {
  /** postgresql://… of the role that owns the database's tables. */
  ownerUrl: string
  serviceRole: string
  /** When given, it is set: the role is created if it is missing. Otherwise the role has to exist. */
  servicePassword?: string
  /** The service's `prisma/migrations`. */
  dir: string
}

/**
 * Brings a service's database up to date: the kit's tables in the schema `kit`, the service's in `public`, and the rights of the
 * service's role. Migrations that run at the same time wait for each other; those that are applied already are skipped.
 * @returns the names of the migrations that were applied
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
 * Polls. A statement that waits for the lock (`pg_advisory_lock`) holds a snapshot, and CREATE INDEX CONCURRENTLY waits until older snapshots are
 * released: if the holder of the lock runs it, the two deadlock.
 */
async function takeLock(connection: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await connection.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [prismaLock])
    if (rows[0]?.taken) return
    await pause(lockPauseMs)
  }
}

/**
 * Proves that a service's database is up to date.
 * @param url postgresql://… of the role of the service
 * @param dir the service's `prisma/migrations`
 * @throws Error that names the migrations which are not applied yet, or the error of the database
 */
export async function assertMigrated(url: string, dir: string): Promise<void> {
  const pending = await withConnection(url, async (connection) => [
    ...(await pendingMigrations(connection, 'kit', kitMigrations)),
    ...(await pendingMigrations(connection, 'public', dir)),
  ])
  if (pending.length > 0) throw new Error(`Not applied yet: ${pending.join(', ')}.`)
}

async function withConnection<T>(url: string, work: (connection: pg.Client) => Promise<T>): Promise<T> {
  const connection = new pg.Client(databaseConnection(url))
  await connection.connect()
  try {
    return await work(connection)
  } finally {
    await connection.end()
  }
}
