import type { Resource } from '@caseway/kit/resource'
import { fillTable } from '@caseway/testing/fill-table'
import pg from 'pg'
import { asOwner, rowsOf } from './databases.js'
import type { Declared } from './declared-resources.js'
import type { Records } from './samples.js'
import { rowOf, type StoredRow } from './stored-rows.js'

/** The longest page. */
const longest = 1_000
/** More than that, because some are refused by unique keys. */
const rows = 2_500
/** Those that only the API makes, which takes its time. */
const made = 100

/** Records that come with another, by their path and the other's. */
const madeWith: Readonly<Record<string, string>> = { 'customer_user_link/client': 'client' }

/** Columns that decide who in an office sees a record, where its service has a condition of its own (`visibleReads`). */
const seenBy: Readonly<Record<string, readonly string[]>> = {
  mail_command: ['user_id'],
  mail_folder: ['user_id', 'system_name'],
}

/** The columns by which a record is in the list of the person who asks, with what is beside it. */
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
 * Adds records that are like the one with `id` to its list: a thousand by SQL, or a hundred by the API where a record has rows in several tables.
 * @returns a page that is full now
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
