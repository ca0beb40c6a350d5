import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertMigrated, migrate } from '@caseway/kit/migrations'
import { eventually, type TestDatabase, testDatabase } from '@caseway/testing'
import { untilWaiting } from '@caseway/testing/held-transaction'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'

const committed = new URL('../support/migrations', import.meta.url)
const serviceRole = 'kit-test'

let database: TestDatabase
let dir: string
beforeEach(async () => {
  database = await testDatabase({ name: serviceRole, migrations: committed })
  dir = await mkdtemp(join(tmpdir(), 'migrations-'))
  await cp(committed, dir, { recursive: true })
})
afterEach(async () => {
  await database.drop()
  await rm(dir, { recursive: true })
})

async function add(name: string, sql: string) {
  await mkdir(join(dir, name), { recursive: true })
  await writeFile(join(dir, name, 'migration.sql'), sql)
}
const run = (options: Partial<Parameters<typeof migrate>[0]> = {}) => migrate({ ownerUrl: database.ownerUrl, serviceRole, dir, ...options })
const someRole = () => `role-${randomBytes(6).toString('hex')}`

describe('migrate', () => {
  it('applies new migrations in the order of their names, and only once', async () => {
    await add('20270101000000_more', 'CREATE TABLE "more" ("id" BIGINT PRIMARY KEY); ALTER TABLE "more" ADD "text" TEXT')
    await add('20270102000000_most', 'ALTER TABLE "more" DROP "text"')
    expect(await run()).toEqual(['20270101000000_more', '20270102000000_most'])
    expect(await run()).toEqual([])
  })

  it('goes on where the database writes times in another format', async () => {
    await database.rows(`ALTER DATABASE "${new URL(database.url).pathname.slice(1)}" SET datestyle = 'German'`)
    await add('20270101000000_more', 'CREATE TABLE "more" ("id" BIGINT PRIMARY KEY)')
    expect(await run()).toEqual(['20270101000000_more'])
  })

  it('waits for another run that creates an index concurrently', async () => {
    await add('20270101000000_more', 'CREATE TABLE "more" ("id" BIGINT)')
    await run()
    await add('20270102000000_index', 'CREATE INDEX CONCURRENTLY "more_id_idx" ON "more" ("id")')
    const writer = new pg.Client(database.ownerUrl)
    await writer.connect()
    await writer.query('BEGIN')
    await writer.query('INSERT INTO "more" VALUES (1)')
    const first = run()
    await untilWaiting(database, 1)
    const second = run()
    const asking =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%advisory_lock%' AND pid <> pg_backend_pid()"
    await eventually(async () => expect(await database.rows(asking)).toHaveLength(1))
    await writer.query('COMMIT')
    expect([await first, await second]).toEqual([['20270102000000_index'], []])
    await writer.end()
  })

  it('fails with the reason when the connection is lost, and refuses to go on', async () => {
    await add('20270101000000_lost', 'SELECT pg_terminate_backend(pg_backend_pid())')
    await expect(run()).rejects.toThrow('Migration 20270101000000_lost failed: terminating connection due to administrator command')
    await expect(run()).rejects.toThrow('failed earlier')
  })

  it('keeps the tables of the kit in a schema of their own', async () => {
    const tables = await database.rows<{ table_name: string }>(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'kit' ORDER BY table_name",
    )
    const names = tables.map((table) => table.table_name)
    expect(names).toEqual([
      '_prisma_migrations',
      'copy_state',
      'dead_letter',
      'idempotency_key',
      'inbox',
      'job',
      'outbox',
      'rate_limit',
      'schedule',
    ])
  })

  it('refuses a migration that was edited after it was applied', async () => {
    await add('20261121000000_init', 'CREATE TABLE "other" ("id" BIGINT PRIMARY KEY)')
    await expect(run()).rejects.toThrow('Migration 20261121000000_init was edited after it was applied.')
  })

  it('rolls back a migration that fails, and stops there', async () => {
    await add('20270101000000_broken', 'CREATE TABLE "half" ("id" BIGINT PRIMARY KEY); CREATE TABLE "half" ("id" BIGINT PRIMARY KEY)')
    await expect(run()).rejects.toThrow('Migration 20270101000000_broken failed: relation "half" already exists')
    await expect(run()).rejects.toThrow(/failed earlier/)
    expect(await database.rows("SELECT FROM information_schema.tables WHERE table_name = 'half'")).toEqual([])
  })

  it('runs a failed migration again when its record is resolved as described in docs/operations.md', async () => {
    await add('20270101000000_more', 'CREATE TABLE "more" ("id" BIGINT); INSERT INTO "more" VALUES (1), (1)')
    await run()
    await add('20270102000000_index', 'CREATE UNIQUE INDEX CONCURRENTLY "more_id_key" ON "more" ("id")')
    await expect(run()).rejects.toThrow('Migration 20270102000000_index failed: could not create unique index "more_id_key"')
    await database.rows('DELETE FROM "more"')
    expect(await database.rows('SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid')).toEqual([
      { indexrelid: 'more_id_key' },
    ])
    await database.rows('DROP INDEX CONCURRENTLY "more_id_key"')
    await database.rows('UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL')
    expect(await run()).toEqual(['20270102000000_index'])
  })

  it('may run twice at the same time', async () => {
    await add('20270101000000_more', 'CREATE TABLE "more" ("id" BIGINT PRIMARY KEY)')
    const results = await Promise.all([run(), run()])
    expect(results.toSorted((one, other) => one.length - other.length)).toEqual([[], ['20270101000000_more']])
  })
})

describe('assertMigrated', () => {
  it('resolves for the role of the service when all migrations are applied', async () => {
    await expect(assertMigrated(database.url, dir)).resolves.toBeUndefined()
  })

  it('names the migrations that are not applied, until they are', async () => {
    await add('20270101000000_more', 'CREATE TABLE "more" ("id" BIGINT PRIMARY KEY)')
    await add('20270102000000_most', 'ALTER TABLE "more" ADD "text" TEXT')
    await expect(assertMigrated(database.url, dir)).rejects.toThrow(
      'Migrations that are not applied yet: 20270101000000_more, 20270102000000_most.',
    )
    await run()
    await expect(assertMigrated(database.url, dir)).resolves.toBeUndefined()
  })

  it('does not count a failed migration as applied', async () => {
    await add('20270101000000_broken', 'CREATE TABLE "notes" ("id" BIGINT PRIMARY KEY)')
    await expect(run()).rejects.toThrow(/failed/)
    await expect(assertMigrated(database.url, dir)).rejects.toThrow('Migrations that are not applied yet: 20270101000000_broken.')
  })
})

describe('the role of the service', () => {
  it('is created with the password, may read and write every table, and may change nothing else', async () => {
    const role = someRole()
    await run({ serviceRole: role, servicePassword: "it's a secret" })
    await run({ serviceRole: role, servicePassword: 'another' })
    const service = new pg.Client({ connectionString: database.ownerUrl.replace(/\/\/[^@]+@/, `//${role}:another@`) })
    await service.connect()
    try {
      await service.query("SELECT set_config('app.customer_id', '1', false)")
      await service.query("INSERT INTO notes (customer_id, title) VALUES (1, 'mine')")
      await service.query("INSERT INTO kit.outbox (topic, key, payload) VALUES ('t', 'k', '')")
      await service.query('SELECT migration_name, finished_at, rolled_back_at FROM _prisma_migrations')
      await expect(service.query('SELECT logs FROM _prisma_migrations')).rejects.toThrow(/permission denied/)
      await expect(service.query('CREATE TABLE mine (id BIGINT)')).rejects.toThrow(/permission denied/)
      await expect(service.query('DELETE FROM _prisma_migrations')).rejects.toThrow(/permission denied/)
      await expect(service.query('TRUNCATE notes')).rejects.toThrow(/permission denied/)
    } finally {
      await service.end()
      await database.rows(`DROP OWNED BY "${role}"; DROP ROLE "${role}"`)
    }
  })

  it('must exist when no password is given', async () => {
    await expect(run({ serviceRole: someRole() })).rejects.toThrow(/does not exist/)
  })

  it('is rejected when it bypasses row-level security', async () => {
    await expect(run({ serviceRole: 'postgres' })).rejects.toThrow('The role postgres bypasses row-level security.')
  })
})
