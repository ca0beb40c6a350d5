import { fileURLToPath } from 'node:url'
import { prefixOf } from '@caseway/registry/names'
import { defineConfig, ownerDatabaseRule, ownerDatabaseVariables, text } from '../config/index.js'
import { migrate } from '../database/index.js'
import { readOrExit } from './read-or-exit.js'

const variables = (role: string) => ({
  ...ownerDatabaseVariables('Database of the service, with the role that owns its tables'),
  ROLE: text({ default: role, help: 'Database role of the service, which owns no objects' }),
  ROLE_PASSWORD: text({
    optional: true,
    secret: true,
    help: 'Password of the role, which is created when it is missing; without it the role has to exist',
  }),
})

/**
 * The job before a rollout: brings the database of a service up to date, and ends. The code that still runs works on the new schema too.
 * @param service its name: the prefix of its variables, and its role when no variable says otherwise
 * @param migrations its `prisma/migrations`
 */
export async function runMigrations(service: string, migrations: URL): Promise<void> {
  const config = readOrExit(defineConfig(prefixOf(service), variables(service), ownerDatabaseRule))
  const { ownerDatabaseUrl: ownerUrl, role: serviceRole, rolePassword: servicePassword } = config
  const applied = await migrate({ ownerUrl, serviceRole, servicePassword, dir: fileURLToPath(migrations) })
  console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
}
