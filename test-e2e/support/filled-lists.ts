import type { Resource } from '@caseway/kit/resource'
import { fillTable } from '@caseway/testing/fill-table'
import pg from 'pg'
import { asOwner, rowsOf } from './databases.js'
import type { Declared } from './declared-resources.js'
import type { Records } from './samples.js'
import { rowOf, type StoredRow } from './stored-rows.js'

/** The maximum `limit`. */
const longest = 1_000
/** More than a page, because unique keys reject some rows. */
const rows = 2_500
/** Number of records that are created by the API, which is slow. */
const made = 100

/** Records that are created together with others: their path, and that of the other. */
const madeWith: Readonly<Record<string, string>> = { 'customer_user_link/client': 'client' }

/** Columns that decide who sees a record, where its service has a condition of its own (`visibleReads`). */
const seenBy: Readonly<Record<string, readonly string[]>> = {
  mail_command: ['user_id'],
  mail_folder: ['user_id', 'system_name'],
}

/** The columns that decide whether a record is in the caller's list, and which records are embedded. */
function decidingColumns({ path, ownedBy, where, embedded }: Resource): string[] {
  const beside = Object.values(embedded).flatMap((objects) => ('by' in objects ? [objects.by] : []))
  return ['customer_id', ...(ownedBy ? [ownedBy] : []), ...Object.keys(where), ...beside, ...(seenBy[path] ?? [])]
}

const literals = (row: StoredRow, columns: readonly string[]) =>
  Object.fromEntries(columns.map((column) => [column, row[column] == null ? 'NULL' : pg.escapeLiteral(String(row[column]))]))

const tablesBehind = (table: string) => `
  SELECT table_name AS name FROM information_schema.view_table_usage WHERE view_schema = 'public' AND view_name = '${table}'
  UNION SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename = '${table}'`

/**
 * Adds copies of the record `id` to its list: by SQL, or by the API where a record has rows in several tables.
 * @returns the limit of a page that is full now
 */
export async function fillList(home: string, declared: Declared, { create }: Records, id: string): Promise<number> {
  const { service, resource } = declared
  const [first, ...others] = await rowsOf<{ name: string }>(home, service, tablesBehind(resource.table))
  const other = madeWith[resource.path]
  if (other || others.length > 0) {
    const path = `/${other ?? resource.path}`
    for (let count = 0; count < made; count += 10) await Promise.all(Array.from({ length: 10 }, () => create(path)))
    return made
  }
  const columns = literals(await rowOf(home, declared, id), decidingColumns(resource))
  await asOwner(home, service, (owner) => fillTable(owner, { table: first?.name ?? '', fields: resource.fields, rows, columns }))
  return longest
}
