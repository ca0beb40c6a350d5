import type { Resource } from '@caseway/kit/resource'
import { fillTable } from '@caseway/testing/fill-table'
import pg from 'pg'
import { asOwner, rowsOf } from './databases.js'
import type { Declared } from './declared-resources.js'
import type { Records } from './samples.js'
import { rowOf, type StoredRow } from './stored-rows.js'

/** More than the longest page, though some are refused by unique keys. */
const rows = 2_500

/** Columns that decide who in an office sees a record, where its service has a condition of its own (`visibleReads`). */
const seenBy: Readonly<Record<string, readonly string[]>> = { mail_folder: ['user_id', 'system_name'] }

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

/** Adds a thousand records that are like the one with `id` to its list: by SQL, or by the API where a record has rows in several tables. */
export async function fillList(home: string, declared: Declared, { create }: Records, id: string): Promise<void> {
  const { service, resource } = declared
  const [first, ...others] = await rowsOf<{ name: string }>(home, service, tablesBehind(resource.table))
  if (others.length > 0) {
    const path = `/${resource.path}`
    for (let made = 0; made < 1_000; made += 10) await Promise.all(Array.from({ length: 10 }, () => create(path)))
    return
  }
  const columns = literals(await rowOf(home, declared, id), decidingColumns(resource))
  await asOwner(home, service, (owner) => fillTable(owner, { table: first?.name ?? '', fields: resource.fields, rows, columns }))
}
