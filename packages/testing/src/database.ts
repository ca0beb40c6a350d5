import { hash, randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '@caseway/kit/migrations'
import pg from 'pg'

export interface ServiceSchema {
  /** Name of the service, and of its database role. */
  name: string
  /** The folder of its migrations. Default: that of the service in `services/`. */
  migrations?: string | URL
  /** The last migration to apply, for a database of an older build. Default: all. */
  until?: string
}

export interface TestDatabase {
  /** URL for the role of the service, which is subject to row-level security. */
  url: string
  /** URL for the owner, who bypasses row-level security. */
  ownerUrl: string
  /** Queries the database as the owner. */
  rows<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>
  drop(): Promise<void>
}

const servicePassword = 'only-in-tests'

/** The migrations folder of a service. */
export const migrationsOf = (service: string) => new URL(`../../../services/${service}/prisma/migrations`, import.meta.url)

const serverUrl = (database: string, role?: string) => {
  const url = new URL(process.env.CASEWAY_TEST_POSTGRES_URL ?? missingServer())
  url.pathname = database
  if (role) Object.assign(url, { username: role, password: servicePassword })
  return url.href
}

const missingServer = () => {
  throw new Error('The PostgreSQL of the tests is started by packages/testing/setup.mjs, the globalSetup of jest.')
}

/** Creates a database of `service` for one test file, with all migrations applied. */
export async function testDatabase(service: ServiceSchema): Promise<TestDatabase> {
  const name = `${service.name}-${randomBytes(6).toString('hex')}`
  await asOwner('postgres', async (server) => {
    const template = await templateOf(service, server)
    await server.query(`CREATE DATABASE "${name}" TEMPLATE "${template}"`)
  })
  return {
    url: serverUrl(name, service.name),
    ownerUrl: serverUrl(name),
    rows: <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) =>
      asOwner(name, async (owner) => (await owner.query<Row>(sql, values)).rows),
    drop: () => asOwner('postgres', async (server) => void (await server.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`))),
  }
}

/** Applies the migrations after `until`, as a rollout of this build does. */
export async function migrateFurther({ ownerUrl }: TestDatabase, service: string): Promise<void> {
  await migrate({ ownerUrl, serviceRole: service, dir: fileURLToPath(migrationsOf(service)) })
}

/** Creates the migrated template database from which the others are copied. The first test file creates it; concurrent ones wait. */
async function templateOf({ name, migrations = migrationsOf(name), until }: ServiceSchema, server: pg.Client): Promise<string> {
  // PostgreSQL truncates names after 63 bytes.
  const template = `${name}-template${until ? `-${hash('sha256', until).slice(0, 16)}` : ''}`
  await server.query('SELECT pg_advisory_lock(hashtext($1))', [template])
  try {
    const { rowCount } = await server.query('SELECT FROM pg_database WHERE datname = $1', [template])
    if (rowCount) return template
    const unfinished = `${template}-unfinished`
    await server.query(`DROP DATABASE IF EXISTS "${unfinished}" WITH (FORCE)`)
    await server.query(`CREATE DATABASE "${unfinished}"`)
    const ownerUrl = serverUrl(unfinished)
    const dir = copyOf(migrations instanceof URL ? fileURLToPath(migrations) : migrations, until)
    await migrate({ ownerUrl, serviceRole: name, servicePassword, dir })
    rmSync(dir, { recursive: true })
    await server.query(`ALTER DATABASE "${unfinished}" RENAME TO "${template}"`)
    return template
  } finally {
    await server.query('SELECT pg_advisory_unlock(hashtext($1))', [template])
  }
}

/** Creates a folder with the migrations up to `until`. */
function copyOf(migrations: string, until = '\uffff'): string {
  const dir = mkdtempSync(join(tmpdir(), 'caseway-migrations-'))
  const names = readdirSync(migrations).filter((name) => name <= until)
  for (const name of names) cpSync(join(migrations, name), join(dir, name), { recursive: true })
  return dir
}

async function asOwner<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl(database) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
