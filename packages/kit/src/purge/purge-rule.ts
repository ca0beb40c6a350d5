/** Which rows of a table are of no more use. */
export interface PurgeRule {
  /** With its schema where that is not `public`. */
  readonly table: string
  /** Tells the age of a row: a column that is the first of an index. Rows without a value stay. */
  readonly column: string
  /** What `column` holds: a `timestamptz`, or milliseconds since the epoch in a `bigint`. Default `timestamptz`. */
  readonly unit?: 'timestamptz' | 'epoch-ms'
  /** A row is deleted when `column` is more than this in the past, in milliseconds. */
  readonly keepMs: number
  /** Rows of one transaction. Default 1,000; fewer where each row takes many others with it (ON DELETE CASCADE). */
  readonly chunk?: number
}

/** What one transaction of a purge did. */
export interface Chunk {
  readonly deleted: number
  /** The highest value of the rule's column among the deleted rows: everything below it has been looked at. */
  readonly last: unknown
}

const cutoffs = {
  timestamptz: "now() - $1::float8 * interval '1 millisecond'",
  'epoch-ms': '(extract(epoch FROM now()) * 1000)::bigint - $1::bigint',
}

export const defaultChunk = 1000

/**
 * Deletes the oldest rows of a rule. `$1` is `keepMs`, and in a statement that `continues`, `$2` is where the last one ended: the scan
 * does not begin at the dead index entries of the rows before, which no vacuum can remove while an old snapshot is open. A row that
 * is locked is left for the next pass: a purge never waits for a lock.
 */
export function purgeStatement({ table, column, unit = 'timestamptz', chunk = defaultChunk }: PurgeRule, continues: boolean): string {
  return `
    WITH expired AS MATERIALIZED (
      SELECT ctid, ${column} AS age FROM ${table}
      WHERE ${column} < ${cutoffs[unit]}${continues ? ` AND ${column} >= $2` : ''}
      ORDER BY ${column} LIMIT ${chunk} FOR UPDATE SKIP LOCKED
    ), deleted AS (
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM expired)) RETURNING 1
    )
    SELECT count(*)::int AS deleted, max(age) AS last FROM expired`
}
