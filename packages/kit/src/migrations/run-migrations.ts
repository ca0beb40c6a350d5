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

/** The configuration of the migration job. The default of the role is the name of the service. */
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
 * Runs the migration job before a rollout: migrates the database of a service, and returns. The code of the previous version must work with the new schema,
 * too. With the argument `--wait` it changes nothing, connects with the role of the service, and returns once every migration is applied: this runs before a
 * process of the new version starts. Exits the process with 1 where the configuration is not usable.
 * @param service the name of the service, which gives the prefix of the variables
 * @param migrations the folder `prisma/migrations` of the service
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
