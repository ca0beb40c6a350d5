import { isProtected, missingStatements, type TableRule, type Tables, undecidedColumns, undeclaredIds } from '@caseway/kit/tables'
import { describe, expect, it } from '@jest/globals'
import type { TestDatabase } from './database.js'
import { eventually } from './eventually.js'
import { randomId } from './ids.js'
import { attemptTransfer, attemptWrites, type Settings, withSettings } from './scoped-access.js'

/** The rows that the tests access: an office with rows in each table of offices, and a client with rows in each table of clients. */
export interface IsolatedTenant {
  readonly database: TestDatabase
  readonly customerId: bigint
  readonly clientId: bigint
}

const ofOffice = (customerId: bigint): Settings => ({ 'app.customer_id': String(customerId) })
const ofClient = (clientId: bigint): Settings => ({ 'app.client_id': String(clientId) })

type Owned = Extract<TableRule, { column: string }> & { table: string }

const ownedTables = (tables: Tables, kind: Owned['kind']): Owned[] =>
  Object.entries(tables).flatMap(([table, rules]) => rules.flatMap((rule) => (rule.kind === kind ? [{ table, ...rule } as Owned] : [])))

/** The results by table. */
async function each<T extends string, R>(tables: readonly T[], work: (table: T) => Promise<R> | R): Promise<Record<string, R>> {
  const results: Record<string, R> = {}
  for (const table of tables) results[table] = await work(table)
  return results
}

const countRows = async (
  run: (sql: string, values: unknown[]) => Promise<{ all: number; own: number }[]>,
  { table, column }: Owned,
  id: bigint,
) => (await run(`SELECT count(*)::int AS all, (count(*) FILTER (WHERE "${column}" = $1))::int AS own FROM "${table}"`, [id]))[0]

/**
 * Tests of tenant isolation: the database enforces the declared rules, the role of the service can do nothing beyond them, and neither another office
 * nor a client reads or writes foreign rows.
 * @param tenant called by each test; its rows must exist
 */
export function itIsolatesTenants(tables: Tables, tenant: () => IsolatedTenant): void {
  const guarded = Object.entries(tables).flatMap(([table, rules]) => (isProtected(rules) ? [table] : []))

  describe('tenant isolation', () => {
    it('is enforced by the database as declared', async () => {
      // The check locks all tables while the service works, so that PostgreSQL may abort it to resolve a deadlock.
      await eventually(async () => expect(await missingStatements(tenant().database.ownerUrl, tables)).toEqual([]), { timeoutMs: 20_000 })
    })

    it('has a declaration for every text column of how a person is erased from it', async () => {
      expect(await undecidedColumns(tenant().database.ownerUrl, tables)).toEqual([])
    })

    it('has a declaration for every id column of how it is imported', async () => {
      expect(await undeclaredIds(tenant().database.ownerUrl, tables)).toEqual([])
    })

    it('has an index that begins with the office for each table of offices', async () => {
      const { database } = tenant()
      const indexed = (await database.rows<{ table: string; column: string }>(firstColumns)).map(
        ({ table, column }) => `${table}.${column}`,
      )
      const ofOffices = ownedTables(tables, 'office').map(({ table, column }) => `${table}.${column}`)
      expect(ofOffices.filter((column) => !indexed.includes(column))).toEqual([])
    })

    it('applies to the role of the service, which may only read and write rows', async () => {
      const { database } = tenant()
      const role = new URL(database.url).username
      expect(await database.rows(boundRole, [role])).toEqual([{ bound: true, owns: 0 }])
      const granted = await database.rows<{ name: string; privileges: string }>(grants, [role])
      expect(granted.filter(({ privileges }) => privileges !== 'DELETE, INSERT, SELECT, UPDATE')).toEqual([])
      const names = granted.map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(Object.keys(tables)))
      expect(names).not.toContain('_prisma_migrations')
    })

    it('is bypassed by no view, and by no undeclared function', async () => {
      const declared = Object.values(tables).flatMap((rules) =>
        rules.flatMap((rule) => (rule.kind === 'readable-by-owner' ? [rule.by] : [])),
      )
      expect((await tenant().database.rows<{ name: string }>(bypasses)).map(({ name }) => name)).toEqual(declared)
    })

    it('shows no rows to a caller without any', async () => {
      const { database } = tenant()
      const views = (await database.rows<{ name: string }>(viewNames)).map(({ name }) => name)
      for (const settings of [{}, ofOffice(randomId()), ofClient(randomId())]) {
        const seen = await withSettings(database, settings, (connection) =>
          each([...guarded, ...views], async (name) => (await connection.query(`SELECT FROM "${name}" LIMIT 1`)).rowCount),
        )
        expect(seen).toEqual(await each([...guarded, ...views], () => 0))
      }
    })

    it.each([
      ['an office', 'office'],
      ['a client', 'client'],
    ] as const)('shows %s all rows of their own, and no others', async (_, kind) => {
      const { database, customerId, clientId } = tenant()
      const [id, settings] = kind === 'office' ? [customerId, ofOffice(customerId)] : [clientId, ofClient(clientId)]
      const owned = ownedTables(tables, kind)
      for (const rule of owned) {
        const present = await countRows((sql, values) => database.rows(sql, values), rule, id)
        const seen = await withSettings(database, settings, (connection) =>
          countRows(async (sql, values) => (await connection.query(sql, values)).rows, rule, id),
        )
        const own = present?.own || 'a row, without which this test shows nothing'
        expect({ table: rule.table, ...seen }).toEqual({ table: rule.table, all: own, own })
      }
    })

    it('shows the platform all rows', async () => {
      const { database } = tenant()
      const total = (table: string) => `SELECT count(*)::int AS total FROM "${table}"`
      const seen = await withSettings(database, { 'app.platform': 'on' }, (connection) =>
        each(guarded, async (table) => (await connection.query(total(table))).rows[0].total),
      )
      const present = await each(guarded, async (table) => (await database.rows(total(table)))[0]?.total)
      expect(seen).toEqual(present)
      expect(guarded.filter((table) => !present[table])).toEqual([])
    })

    it.each([
      ['another office', () => ofOffice(randomId())],
      ['a caller without a scope', () => ({})],
    ])('lets %s change, delete and insert nothing', async (_, settings) => {
      const { database } = tenant()
      const written = await withSettings(database, settings(), (connection) =>
        each(guarded, async (table) => attemptWrites(connection, table, await rowOf(database, table))),
      )
      expect(written).toEqual(await each(guarded, () => ({ update: 0, delete: 0, insert: 'refused' })))
    })

    it('lets a client change, delete and insert nothing, though they see rows', async () => {
      const { database, clientId } = tenant()
      const lockable = ownedTables(tables, 'client').flatMap((rule) => (rule.kind === 'client' && rule.mayLock ? [rule.table] : []))
      const written = await withSettings(database, ofClient(clientId), (connection) =>
        each(guarded, async (table) => attemptWrites(connection, table, await rowOf(database, table))),
      )
      const none = (table: string) => ({ update: lockable.includes(table) ? 'refused' : 0, delete: 0, insert: 'refused' })
      expect(written).toEqual(await each(guarded, none))
    })

    it('lets an office move none of its rows to another', async () => {
      const { database, customerId } = tenant()
      const owned = ownedTables(tables, 'office')
      const transfers = await withSettings(database, ofOffice(customerId), async (connection) => {
        const results: Record<string, unknown> = {}
        for (const { table, column } of owned) results[table] = await attemptTransfer(connection, table, column, randomId())
        return results
      })
      expect(transfers).toEqual(Object.fromEntries(owned.map(({ table }) => [table, 'refused'])))
    })
  })
}

/** A row without its generated columns. */
const rowOf = async (database: TestDatabase, table: string): Promise<object> => {
  const generated = `SELECT array_agg(attname::text) FROM pg_attribute WHERE attrelid = '"${table}"'::regclass AND attgenerated <> ''`
  const [found] = await database.rows<{ row: object }>(
    `SELECT to_jsonb("${table}") - coalesce((${generated}), '{}') AS row FROM "${table}" LIMIT 1`,
  )
  if (!found) throw new Error(`${table} has no row, and without one the test shows nothing.`)
  return found.row
}

/** The first columns of complete indexes. */
const firstColumns = `
  SELECT indrelid::regclass::text AS table, attname::text AS column FROM pg_index
  JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] WHERE indpred IS NULL AND indisvalid`

const boundRole = `
  SELECT NOT (rolsuper OR rolbypassrls) AS bound, (SELECT count(*)::int FROM pg_class WHERE relowner = pg_roles.oid) AS owns
  FROM pg_roles WHERE rolname = $1`

const grants = `
  SELECT relname AS name, string_agg(DISTINCT privilege_type, ', ' ORDER BY privilege_type) AS privileges
  FROM pg_class, aclexplode(relacl), pg_roles
  WHERE relnamespace = 'public'::regnamespace AND relkind <> 'S' AND grantee IN (pg_roles.oid, 0) AND rolname = $1 GROUP BY 1`

const viewNames = "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'"

/** Views that read as their owner, materialized views, and functions that run as their owner. */
const bypasses = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND (relkind = 'm' OR relkind = 'v' AND NOT coalesce('security_invoker=true' = ANY(reloptions), false))
  UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`
