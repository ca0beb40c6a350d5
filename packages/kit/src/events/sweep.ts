import type pg from 'pg'

/** How long the kit's rows are of use, by the column that tells their age. */
const retentions = [
  { table: 'kit.outbox', column: 'published_at', kept: '7 days' },
  { table: 'kit.inbox', column: 'created', kept: '30 days' },
  { table: 'kit.idempotency_key', column: 'created', kept: '24 hours' },
]

const chunk = 1000

/** Deletes what is older than it is of use, in small transactions. */
export async function sweep(connection: pg.ClientBase, signal: AbortSignal): Promise<void> {
  for (const { table, column, kept } of retentions) {
    const statement = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${column} < now() - interval '${kept}' LIMIT ${chunk}))`
    let deleted = chunk
    while (deleted === chunk && !signal.aborted) deleted = (await connection.query(statement)).rowCount ?? 0
  }
}
