import pRetry from 'p-retry'
import pg from 'pg'

interface Role {
  rolsuper: boolean
  rolbypassrls: boolean
  ownsTables: boolean
}

/**
 * Creates the role with which a service connects, or sets its password. Without a password the role must exist.
 * @throws Error where the role is missing, or bypasses row-level security: as a superuser, by BYPASSRLS, or as an owner of tables
 */
export async function ensureServiceRole(connection: pg.Client, name: string, password: string | undefined): Promise<void> {
  const role = pg.escapeIdentifier(name)
  const find = async () => {
    const { rows } = await connection.query<Role>(
      `SELECT rolsuper, rolbypassrls, EXISTS (SELECT FROM pg_class WHERE relowner = pg_roles.oid) AS "ownsTables" FROM pg_roles WHERE rolname = $1`,
      [name],
    )
    return rows[0]
  }
  if (password !== undefined) {
    const secret = pg.escapeLiteral(password)
    const set = async () => {
      // Only a superuser may mention NOSUPERUSER and NOBYPASSRLS in ALTER ROLE.
      const verb = (await find()) ? `ALTER ROLE ${role}` : `CREATE ROLE ${role} NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE`
      await connection.query(`${verb} LOGIN PASSWORD ${secret}`)
    }
    // Roles are shared by all databases of a server, and another one may be migrated at the same time.
    await pRetry(set, { retries: 5, minTimeout: 20, randomize: true, shouldRetry: ({ error }) => isRace(error) })
  }
  const found = await find()
  if (!found) throw new Error(`The role ${name} does not exist, and no password was given to create it with.`)
  if (found.rolsuper || found.rolbypassrls || found.ownsTables) throw new Error(`The role ${name} bypasses row-level security.`)
}

const races = ['42710', '23505', 'XX000']
const isRace = (error: unknown) => error instanceof pg.DatabaseError && races.includes(error.code ?? '')

/**
 * Grants the role DML on every table of the schemas, and the use of their sequences, but no DDL. Of the bookkeeping of migrations it may only read which ones
 * are applied.
 */
export async function grantTables(connection: pg.Client, name: string, schemas: readonly string[]): Promise<void> {
  const role = pg.escapeIdentifier(name)
  for (const schema of schemas.map(pg.escapeIdentifier)) {
    await connection.query(`
      GRANT USAGE ON SCHEMA ${schema} TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
      GRANT USAGE, UPDATE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role};
      REVOKE ALL ON ${schema}._prisma_migrations FROM ${role};
      GRANT SELECT (migration_name, finished_at, rolled_back_at) ON ${schema}._prisma_migrations TO ${role}`)
  }
}
