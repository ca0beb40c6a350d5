/** A retention rule: which rows of a table have expired. */
export interface PurgeRule {
  /** The name of the table, with its schema where that is not `public`. */
  readonly table: string
  /** The column with the time of a row, which must be the first column of an index. Rows where it is null are kept. */
  readonly column: string
  /** The type of `column`: `timestamptz`, or `bigint` with milliseconds since the epoch. Default `timestamptz`. */
  readonly unit?: 'timestamptz' | 'epoch-ms'
  /** A row is deleted when `column` is more than this in the past, in milliseconds. */
  readonly keepMs: number
  /** Rows per transaction. Default 1,000; fewer where deleting a row cascades to many others. */
  readonly chunk?: number
}

/** The result of one transaction of a purge. */
export interface Chunk {
  readonly deleted: number
  /** The highest value of the rule's column among the deleted rows, where the next chunk begins. */
  readonly last: unknown
}

const cutoffs = {
  timestamptz: "now() - $1::float8 * interval '1 millisecond'",
  'epoch-ms': '(extract(epoch FROM now()) * 1000)::bigint - $1::bigint',
}

export const defaultChunk = 1000

/**
 * SQL that deletes a chunk of the oldest rows of a rule. `$1` is `keepMs`. With `continues`, `$2` is `last` of the previous chunk, so that the scan skips the
 * dead index entries of deleted rows, which no vacuum can remove while an old snapshot is open. Locked rows are left for the next pass: a purge never waits for
 * a lock.
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
