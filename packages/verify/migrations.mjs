import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from './run.mjs'

/** Prisma's exit codes of `migrate diff --exit-code`. */
const same = 0
const different = 2

/**
 * The differences between the migrations of a service and its `schema.prisma`.
 * @param server an empty PostgreSQL, in which Prisma applies the migrations
 * @param options of `prisma migrate diff`: `--script` for SQL
 * @returns '' without differences
 * @throws Error with Prisma's output when a migration fails
 */
export async function schemaDiff(service, server, ...options) {
  // Imported here, because the checks are loaded before anything is built.
  const { databaseUrlVariable } = await import('@caseway/registry')
  const from = ['--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma', '--exit-code']
  const { code, stdout, stderr } = await run('prisma-local', ['migrate', 'diff', ...from, ...options], {
    cwd: join(root, 'services', service),
    env: { [databaseUrlVariable(service)]: server.url('postgres') },
  })
  if (code !== same && code !== different) throw new Error(stderr)
  return code === same ? '' : stdout
}

/** Adds a migration. @returns its path relative to the root of the project */
export async function addMigration(service, name, sql) {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const migration = join('services', service, 'prisma/migrations', `${time}_${name}`)
  await mkdir(join(root, migration))
  await writeFile(join(root, migration, 'migration.sql'), sql)
  return migration
}
