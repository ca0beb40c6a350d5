import { fileURLToPath } from 'node:url'
import { prefixOf } from '@caseway/registry/names'
import pRetry from 'p-retry'
import {
  databaseAddressVariables,
  databaseRule,
  defineConfig,
  ownerDatabaseRule,
  ownerDatabaseVariables,
  readOrExit,
  text,
} from '../config/index.js'
import { assertMigrated, migrate } from './migrate.js'

const pauseMs = 2_000

/** What the job before a rollout reads from the environment. The role is the service's name when no variable says otherwise. */
export const migrationConfig = (service: string) => defineConfig(prefixOf(service), migrationVariables(service), ownerDatabaseRule)

const migrationVariables = (role: string) => ({
  ...ownerDatabaseVariables('Database of the service, with the role that owns its tables'),
  ROLE: text({ default: role, help: 'Database role of the service, which owns no objects' }),
  ROLE_PASSWORD: text({
    optional: true,
    secret: true,
    help: 'Password of the role, which is created when it is missing; without it the role has to exist',
  }),
})

const readerConfig = (service: string) =>
  defineConfig(prefixOf(service), databaseAddressVariables('Database of the service, with its own role'), databaseRule)

/**
 * The job before a rollout: brings the database of a service up to date, and ends. The code that still runs works on the new schema too.
 * With the argument `--wait` it changes nothing, needs the role of the service only, and ends when everything is applied: what starts before
 * a process of the new version.
 * @param service its name: the prefix of its variables
 * @param migrations its `prisma/migrations`
 */
export async function runMigrations(service: string, migrations: URL): Promise<void> {
  const dir = fileURLToPath(migrations)
  await (process.argv.includes('--wait') ? awaitMigrations(service, dir) : applyMigrations(service, dir))
}

async function applyMigrations(service: string, dir: string): Promise<void> {
  const { ownerDatabaseUrl: ownerUrl, role: serviceRole, rolePassword: servicePassword } = readOrExit(migrationConfig(service))
  const applied = await migrate({ ownerUrl, serviceRole, servicePassword, dir })
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
}

async function awaitMigrations(service: string, dir: string): Promise<void> {
  const { databaseUrl } = readOrExit(readerConfig(service))
  const endless = { retries: Number.POSITIVE_INFINITY, minTimeout: pauseMs, factor: 1 }
  await pRetry(() => assertMigrated(databaseUrl, dir), { ...endless, onFailedAttempt: ({ error }) => console.log(error.message) })
  console.log('The database is up to date.')
}
