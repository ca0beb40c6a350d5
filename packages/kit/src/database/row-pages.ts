import { CompiledQuery } from 'kysely'
import { platform } from './scope.js'
import type { Database } from './types.js'

/** The most rows of a page. */
const maxRows = 500

/** The most bytes of a page, unless its first row alone has more: PostgreSQL searches about 3 MB of text in a second. */
const maxBytes = 1_000_000

interface Column {
  readonly name: string
  readonly type: string
  /** The position of the column in the primary key; null where it is not part of it. */
  readonly nth: number | null
  /** SQL of the size of its value in bytes, which does not read the value; null for a column of a fixed length. */
  readonly bytes: string | null
}

/** Pages of the rows of a table in the order of the primary key, so that a statement per page is short, however many rows the table has. */
export interface RowPages {
  /**
   * SQL that selects the page after a key: for each row `place` (its ctid), `key` (the primary key, as texts) and `nth` (its number in the page). It
   * returns no rows after the last page.
   * @param source SQL of the FROM clause, with a WHERE clause
   * @param after the number of the parameter with the first column of the key, followed by those of the other columns; null for the first page
   */
  next(source: string, after: number | null): string
}

/**
 * Reads the primary key of a table, for `RowPages.next`.
 * @param table as in SQL, with its schema where that is not `public`
 */
export async function rowPages(db: Database<unknown>, table: string): Promise<RowPages> {
  const columns = await db.query(platform, CompiledQuery.raw(columnsOf, [table]) as CompiledQuery<Column>)
  const key = columns.filter(({ nth }) => nth !== null).toSorted((one, other) => Number(one.nth) - Number(other.nth))
  const names = key.map(({ name }) => `${table}.${name}`)
  const bytes = columns.flatMap(({ bytes }) => (bytes === null ? [] : [`coalesce(${bytes}, 0)`]))
  return {
    next(source, after) {
      const isLater = `(${names.join(', ')}) > (${key.map(({ type }, index) => `$${Number(after) + index}::${type}`).join(', ')})`
      return `
        SELECT place, key, nth FROM (
          SELECT place, key, nth, sum(bytes) OVER (ORDER BY nth) AS bytes FROM (
            SELECT ${table}.ctid AS place, ARRAY[${names.map((name) => `${name}::text`).join(', ')}] AS key,
              row_number() OVER (ORDER BY ${names.join(', ')}) AS nth, ${['0', ...bytes].join(' + ')} AS bytes
            FROM ${source} ${after === null ? '' : `AND ${isLater}`} ORDER BY ${names.join(', ')} LIMIT ${maxRows}
          ) AS walked
        ) AS summed WHERE nth = 1 OR bytes <= ${maxBytes}`
    },
  }
}

const columnsOf = `
  SELECT quote_ident(attname) AS name, format_type(atttypid, atttypmod) AS type, array_position(indkey::int2[], attnum) AS nth,
    CASE WHEN attlen = -1 THEN format('%s(%s.%I)', CASE WHEN typname IN ('text', 'varchar', 'bytea') THEN 'octet_length' ELSE 'pg_column_size' END,
      $1::text, attname) END AS bytes
  FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid JOIN pg_index ON indrelid = attrelid AND indisprimary
  WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`
