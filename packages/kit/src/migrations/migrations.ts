import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

const bookkeeping = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`

interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/**
 * Does what `prisma migrate deploy` does, without its engine: with the same order, checksums and bookkeeping table, in `schema`. The caller must hold Prisma's
 * advisory lock.
 * @returns the names of the migrations that were applied now
 * @throws Error where an applied migration was edited, an earlier one has failed, or one fails
 */
export async function applyMigrations(connection: pg.Client, schema: string, dir: string): Promise<string[]> {
  await connection.query(`SET search_path = ${pg.escapeIdentifier(schema)}`)
  await connection.query(bookkeeping)
  const done = await appliedChecksums(connection)
  const applied: string[] = []
  for (const migration of await readMigrations(dir)) {
    const checksum = done.get(migration.name)
    if (checksum === migration.checksum) continue
    if (checksum) throw new Error(`Migration ${migration.name} was edited after it was applied.`)
    await apply(connection, migration)
    applied.push(migration.name)
  }
  return applied
}

async function appliedChecksums(connection: pg.Client): Promise<Map<string, string>> {
  const { rows } = await connection.query<{ migration_name: string; checksum: string; is_finished: boolean }>(
    'SELECT migration_name, checksum, finished_at IS NOT NULL AS is_finished FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  )
  const failed = rows.find((row) => !row.is_finished)
  if (failed) throw new Error(`Migration ${failed.migration_name} failed earlier: see \`prisma migrate resolve\`.`)
  return new Map(rows.map((row) => [row.migration_name, row.checksum]))
}

/** The names of the migrations in `dir` that are not applied in `schema`, in their order. Needs only the privileges of the service's role. */
export async function pendingMigrations(connection: pg.Client, schema: string, dir: string): Promise<string[]> {
  const { rows } = await connection.query<{ migration_name: string }>(
    `SELECT migration_name FROM ${pg.escapeIdentifier(schema)}._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  )
  const applied = new Set(rows.map((row) => row.migration_name))
  return (await readMigrations(dir)).map(({ name }) => name).filter((name) => !applied.has(name))
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const entries = await readdir(dir, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(dir, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function apply(connection: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  const id = randomUUID()
  await connection.query('INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ($1, $2, $3)', [id, checksum, name])
  try {
    await connection.query(sql)
  } catch (error) {
    // Rejects where the connection is lost; the reason is that of the migration.
    await connection.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, String(error)]).catch(() => undefined)
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
  await connection.query('UPDATE _prisma_migrations SET finished_at = now(), applied_steps_count = 1 WHERE id = $1', [id])
}
