import { randomUUID } from 'node:crypto'
import type { Client, Employee } from '@caseway/kit/caller'
import { type Database, databaseConnection, resourceReads } from '@caseway/kit/database'
import type { SqlType } from '@caseway/kit/fields'
import { camel, type ListQuery, type Resource } from '@caseway/kit/resource'
import pg from 'pg'
import type { TestDatabase } from './database.js'

type Statement = Parameters<Database<unknown>['query']>[1]

const id = 1n
const person = { userId: id, sessionId: randomUUID() }
const employee: Employee = { ...person, audience: 'expert', role: 'expert', customerId: id }
const client: Client = { ...person, audience: 'client', role: 'client', customerId: null }

const someValue: Record<SqlType, unknown> = {
  bigint: 1,
  integer: 1,
  numeric: '1.00',
  text: 'x',
  boolean: true,
  date: '2026-01-01',
  timestamptz: '2026-01-01',
}

/** The statements that a list of the resource sends: of the page, and of the count. */
async function statementsOf(resource: Resource, asked: Partial<ListQuery>): Promise<{ page: Statement; count: Statement }> {
  const sent: Statement[] = []
  const query = async (_: unknown, statement: Statement) => {
    sent.push(statement)
    return []
  }
  const db = { query } as unknown as Database<unknown>
  const caller = (resource.audience === 'client' ? client : employee) as never
  await resourceReads(db, resource).list(caller, {
    limit: 25,
    sort: { field: resource.idColumn.name, descending: false },
    filters: {},
    count: true,
    ...asked,
  })
  const [page, count] = sent
  if (!page || !count) throw new Error(`The list of ${resource.path} sends no two statements.`)
  return { page, count }
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The plan of a statement of the service, in which everything is an index scan that can be one. */
async function planOf(database: TestDatabase, { sql, parameters }: Statement, prepare: string): Promise<PlanNode[]> {
  const owner = new pg.Client(databaseConnection(database.ownerUrl))
  await owner.connect()
  try {
    const role = pg.escapeIdentifier(new URL(database.url).username)
    await owner.query(`BEGIN; ${prepare}; SET LOCAL ROLE ${role}; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off`)
    const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${sql}`, [...parameters])
    return rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan))
  } finally {
    await owner.end()
  }
}

const hasCondition = (node: PlanNode, column: string | undefined) => new RegExp(`\\b${column}\\b`).test(node['Index Cond'] ?? '')

/** Whether a page in the order of `key` is read from an index that has the rows of one owner in this order. */
export async function readsInOrder(database: TestDatabase, resource: Resource, key: string): Promise<boolean> {
  const { page } = await statementsOf(resource, { sort: { field: camel(key) as never, descending: false } })
  const plan = await planOf(database, page, 'SET LOCAL enable_bitmapscan = off')
  const owner = resource.audience === 'client' ? resource.ownedBy : 'customer_id'
  return plan.some((node) => hasCondition(node, owner)) && !plan.some((node) => ['Sort', 'Seq Scan'].includes(node['Node Type']))
}

/** Drops what the planner may like better on a table without rows. */
const dropOtherIndexes = (column: string) => `DO $$
  DECLARE name regclass;
  BEGIN
    FOR name IN SELECT indexrelid FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
        AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey) AND attname = '${column}')
    LOOP EXECUTE 'DROP INDEX ' || name; END LOOP;
  END $$`

/** Whether an index finds the records with one value of the column `filter`. */
export async function findsByIndex(database: TestDatabase, resource: Resource, filter: string): Promise<boolean> {
  const field = resource.fields[filter]
  if (!field) throw new Error(`${resource.path} has no field ${filter}.`)
  const { count } = await statementsOf(resource, { filters: { [camel(filter)]: someValue[field.sql] } as never })
  const plan = await planOf(database, count, dropOtherIndexes(filter))
  return plan.some((node) => hasCondition(node, filter))
}
