import { randomUUID } from 'node:crypto'
import type { Client, Employee } from '@caseway/kit/caller'
import { type Database, resourceReads } from '@caseway/kit/database'
import { databaseConnection } from '@caseway/kit/database-address'
import type { SqlType } from '@caseway/kit/fields'
import { camel, type ListQuery, type Resource } from '@caseway/kit/resource'
import pg from 'pg'
import type { TestDatabase } from './database.js'
import { fillTable, oneOfTexts } from './fill-table.js'
import { type Settings, withSettings } from './scoped-access.js'

type Statement = Parameters<Database<unknown>['query']>[1]

const rows = 100_000

/** An office with a fifth of all rows, and one of 200 that share the others. */
const offices = [1n, 3n]
const officeOfRow = 'CASE WHEN n % 5 = 0 THEN 1 ELSE 2 + n % 200 END'

/** A user with a third of all rows, among a thousand. */
const ownerOfRow = 'CASE WHEN n % 10 < 3 THEN 1 ELSE 2 + n % 1000 END'

const person = { userId: 1n, sessionId: randomUUID() }
const client: Client = { ...person, audience: 'client', role: 'client', customerId: null }
const employee = (customerId: bigint): Employee => ({ ...person, audience: 'expert', role: 'expert', customerId })

/** The callers of a list of the resource. */
const callersOf = ({ audience }: Resource): (Client | Employee)[] => (audience === 'client' ? [client] : offices.map(employee))

const settingsOf = ({ audience, userId, customerId }: Client | Employee): Settings =>
  audience === 'client' ? { 'app.client_id': String(userId) } : { 'app.customer_id': String(customerId) }

const someValue: Record<SqlType, unknown> = {
  bigint: 2,
  integer: 1,
  numeric: '1.00',
  text: 'x',
  boolean: true,
  date: '2026-01-01',
  timestamptz: '2026-01-01',
}

/** The statements of a list of the resource: for the page, and for the count. */
async function statementsOf(resource: Resource, caller: Client | Employee, listQuery: Partial<ListQuery>) {
  const sent: Statement[] = []
  const query = async (_: unknown, statement: Statement) => {
    sent.push(statement)
    return []
  }
  const db = { query, pipelined: { query } } as unknown as Database<unknown>
  await resourceReads(db, resource).list(caller as never, {
    limit: 25,
    sort: { field: resource.idColumn.name, descending: false },
    filters: {},
    count: true,
    ...listQuery,
  })
  const [page, count] = sent
  if (!page || !count) throw new Error(`The list of ${resource.path} sends no two statements.`)
  return { page, count }
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Cond'?: string
  readonly 'Sort Key'?: readonly string[]
  readonly 'Presorted Key'?: readonly string[]
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The plan of a statement as the service executes it for the caller, under row-level security. */
const planOf = (database: TestDatabase, caller: Client | Employee, { sql, parameters }: Statement): Promise<PlanNode[]> =>
  withSettings(database, settingsOf(caller), async (connection) => {
    const { rows } = await connection.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${sql}`, [...parameters])
    return rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan))
  })

/**
 * Whether a plan node sorts all rows. An incremental sort by one further column, the id, only sorts records with equal keys, and reads no more than
 * the page.
 */
const isUnordered = ({ 'Node Type': type, 'Sort Key': sorted = [], 'Presorted Key': presorted = [] }: PlanNode) =>
  ['Sort', 'Seq Scan'].includes(type) || (type === 'Incremental Sort' && presorted.length < sorted.length - 1)

/** Whether every caller's page in the order of `key` is read from an index in this order. */
export async function readsInOrder(database: TestDatabase, resource: Resource, key: string): Promise<boolean> {
  for (const caller of callersOf(resource)) {
    const { page } = await statementsOf(resource, caller, { sort: { field: camel(key) as never, descending: false } })
    const plan = await planOf(database, caller, page)
    if (plan.some(isUnordered)) return false
  }
  return true
}

/** Whether an index finds every caller's records with one value of the column `filter`. */
export async function findsByIndex(database: TestDatabase, resource: Resource, filter: string): Promise<boolean> {
  const field = resource.fields[filter]
  if (!field) throw new Error(`${resource.path} has no field ${filter}.`)
  const [choice] = field.sql === 'text' ? ((field.input.enum as readonly string[] | undefined) ?? []) : []
  const condition = new RegExp(`\\b${filter}\\b`)
  for (const caller of callersOf(resource)) {
    const filters = { [camel(filter)]: choice ?? someValue[field.sql] } as never
    const plan = await planOf(database, caller, (await statementsOf(resource, caller, { filters })).count)
    const isScanned = plan.some((node) => node['Node Type'] === 'Seq Scan')
    if (isScanned || !plan.some((node) => condition.test(node['Index Cond'] ?? ''))) return false
  }
  return true
}

/** The table of a resource, or the tables of its view. */
const tablesBehind = `
  SELECT table_name AS name FROM information_schema.view_table_usage WHERE view_schema = 'public' AND view_name = $1
  UNION SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename = $1`

/** SQL expressions for the columns whose distribution the declarations of resources describe. */
function declaredColumns(resources: readonly Resource[]): Record<string, string> {
  const columns: Record<string, string> = { customer_id: officeOfRow }
  for (const { ownedBy, where } of resources) {
    if (ownedBy) columns[ownedBy] = ownerOfRow
    for (const [column, value] of Object.entries(where)) {
      columns[column] = typeof value === 'boolean' ? String(value) : oneOfTexts([value].flat())
    }
  }
  return columns
}

/** Fills the tables of the resources with 100,000 rows of many offices. */
export async function fillLists(database: TestDatabase, resources: readonly Resource[]): Promise<void> {
  const owner = new pg.Client(databaseConnection(database.ownerUrl))
  await owner.connect()
  try {
    const behind = await Promise.all(resources.map(({ table }) => database.rows<{ name: string }>(tablesBehind, [table])))
    for (const table of new Set(behind.flat().map(({ name }) => name))) {
      const read = resources.filter((resource) => resource.table === table)
      const fields = Object.assign({}, ...read.map((resource) => resource.fields))
      await fillTable(owner, { table, fields, rows, columns: declaredColumns(read) })
    }
    await owner.query('VACUUM ANALYZE')
  } finally {
    await owner.end()
  }
}
