import type { Fields } from '@caseway/kit/fields'
import pg from 'pg'

/** The number and the content of the rows of a table. */
export interface Filling {
  readonly table: string
  /** The fields of the resource of the rows: a choice is filled with its options. */
  readonly fields?: Fields
  readonly rows: number
  /**
   * SQL expressions of the row number `n` for columns that are not to be filled by their type. Columns of unique keys are always filled with distinct
   * numbers.
   */
  readonly columns?: Readonly<Record<string, string>>
}

interface Column {
  readonly name: string
  readonly type: string
  /** Whether it is the last column of a unique key, so that its values distinguish rows. */
  readonly unique: boolean
}

/** The columns to be written, without generated ones. */
const columnsOf = `
  SELECT attname AS name, format_type(atttypid, NULL) AS type, EXISTS (
    SELECT FROM pg_index WHERE indrelid = attrelid AND indisunique AND attnum = indkey[indnkeyatts - 1]
  ) AS unique
  FROM pg_attribute
  WHERE attrelid = format('%I', $1::text)::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''`

/** Indexes that are not unique and enforce nothing. */
const plainIndexesOf = `
  SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
  WHERE indrelid = format('%I', $1::text)::regclass AND NOT indisunique AND NOT indisexclusion`

/** Disables triggers and checks, which only the service's own writes satisfy. */
const withoutRules = `
  SET session_replication_role = replica;
  DO $$
  DECLARE rule record;
  BEGIN
    FOR rule IN SELECT conrelid::regclass AS of, conname FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', rule.of, rule.conname); END LOOP;
  END $$`

/** Values of a type as SQL expressions of the row number, not necessarily unique. */
const byType: Record<string, string> = {
  bigint: 'n % 1000 + 1',
  integer: 'n % 100 + 1',
  smallint: 'n % 100 + 1',
  boolean: 'n % 2 = 0',
  numeric: 'n % 1000',
  date: "date '2020-01-01' + n % 1000",
  'timestamp with time zone': "timestamptz '2020-01-01' + n * interval '1 minute'",
  uuid: 'gen_random_uuid()',
  jsonb: "'{}'",
  bytea: "''",
}

/** A SQL expression that cycles through texts by the row number. */
export const oneOfTexts = (texts: readonly string[]) => `(ARRAY[${texts.map(pg.escapeLiteral)}])[n % ${texts.length} + 1]`

function sqlValue({ name, type, unique }: Column, { fields = {}, columns = {} }: Filling): string {
  if (unique && ['bigint', 'integer'].includes(type)) return 'n'
  if (columns[name]) return columns[name]
  const choices = fields[name]?.input.enum as readonly string[] | undefined
  if (choices && type === 'text') return oneOfTexts(choices)
  if (fields[name]?.input.type === 'array') return "'[]'"
  if (type.endsWith('[]')) return "'{}'"
  return byType[type] ?? "'Text ' || n"
}

/**
 * Fills a table with many different rows, for tests of plans or lists. They satisfy only keys and types: the checks of the table are dropped. Rows
 * that violate a unique key or an exclusion constraint are left out.
 * @param owner a connection of a superuser
 */
export async function fillTable(owner: pg.Client, filling: Filling): Promise<void> {
  const { table, rows } = filling
  await owner.query(withoutRules)
  const found = (await owner.query<Column>(columnsOf, [table])).rows
  const names = found.map(({ name }) => pg.escapeIdentifier(name))
  const values = found.map((column) => sqlValue(column, filling))
  // Building an index once takes a fraction of the time of maintaining it for each row.
  const indexes = (await owner.query<{ name: string; definition: string }>(plainIndexesOf, [table])).rows
  for (const { name } of indexes) await owner.query(`DROP INDEX ${name}`)
  await owner.query(
    `INSERT INTO ${pg.escapeIdentifier(table)} (${names}) SELECT ${values} FROM generate_series(1, ${rows}) n ON CONFLICT DO NOTHING`,
  )
  for (const { definition } of indexes) await owner.query(definition)
}
