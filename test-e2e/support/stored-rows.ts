import { rowsOf } from './databases.js'
import type { Declared } from './declared-resources.js'

export interface StoredColumn {
  readonly name: string
  /** As in `information_schema`. */
  readonly type: string
}

/** A row as JSON, by column. */
export type StoredRow = Readonly<Record<string, unknown>>

/** The columns of the table of a resource, without generated ones. */
export const columnsOf = (home: string, { service, resource }: Declared): Promise<StoredColumn[]> =>
  rowsOf(
    home,
    service,
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = '${resource.table}' AND is_generated = 'NEVER'`,
  )

/** The row of a record. */
export async function rowOf(home: string, { service, resource }: Declared, id: string): Promise<StoredRow> {
  const sql = `SELECT to_jsonb(t) AS row FROM "${resource.table}" t WHERE "${resource.idColumn.wire}" = ${BigInt(id)}`
  const [found] = await rowsOf<{ row: StoredRow }>(home, service, sql)
  if (!found) throw new Error(`${resource.table} has no row ${id}.`)
  return found.row
}
