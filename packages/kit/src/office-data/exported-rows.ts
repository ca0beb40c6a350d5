import { CompiledQuery } from 'kysely'
import type { Id } from '../caller/index.js'
import { type Database, office, platform } from '../database/index.js'
import { currentOffice, isExported, secretsOf, type TableRule, type Tables } from '../tables/index.js'

/** A table of which an office may read rows, without what is secret of them. */
export interface ExportedTable {
  readonly name: string
  /** SQL: the rows that the office reads. The policy of the table says the same, but no index serves that, since the platform reads all rows. */
  readonly where: string
  readonly secrets: readonly string[]
}

/** Rows of one statement: some are large. */
const pageSize = 100

const whereOf = (rules: readonly TableRule[]): string => {
  const ofOffice = rules.flatMap((rule) => (rule.kind === 'office' ? [`"${rule.column}" = ${currentOffice}`] : []))
  const readable = rules.flatMap((rule) => (rule.kind === 'readable' ? [`(${rule.where})`] : []))
  return (ofOffice.length > 0 ? ofOffice : readable).join(' OR ')
}

/** The tables of a service with data of offices, in the order in which they are declared. */
export const exportedTables = (tables: Tables): ExportedTable[] =>
  Object.entries(tables).flatMap(([name, rules]) => (isExported(rules) ? [{ name, where: whereOf(rules), secrets: secretsOf(rules) }] : []))

interface Row {
  /** The values of the primary key, as texts. */
  readonly key: string[]
  readonly json: string
}

/**
 * The rows of a table that the office reads by row-level security, each as one line of JSON, in the order of the primary key and by pages. Each page is a
 * statement of its own: what is changed meanwhile is in it as it was before or after.
 */
export async function* exportedRows(
  db: Database<unknown>,
  { name, where, secrets }: ExportedTable,
  customerId: Id,
): AsyncGenerator<string[]> {
  const key = await primaryKey(db, name)
  const columns = key.map(({ column }) => `"${column}"`)
  const after = key.map(({ type }, index) => `$${index + 2}::${type}`)
  const statement = (isFirst: boolean) => `
    SELECT ARRAY[${columns.map((column) => `${column}::text`).join(', ')}] AS key, (to_jsonb("${name}".*) - $1::text[])::text AS json FROM "${name}"
    WHERE (${where}) ${isFirst ? '' : `AND (${columns.join(', ')}) > (${after.join(', ')})`} ORDER BY ${columns.join(', ')} LIMIT ${pageSize}`

  let last: string[] | undefined
  do {
    const values = [secrets, ...(last ?? [])]
    const rows = await db.query(office(customerId), CompiledQuery.raw(statement(!last), values) as CompiledQuery<Row>)
    if (rows.length > 0) yield rows.map(({ json }) => json)
    last = rows.length < pageSize ? undefined : rows.at(-1)?.key
  } while (last)
}

const primaryKey = (db: Database<unknown>, table: string) =>
  db.query(
    platform,
    CompiledQuery.raw(
      `SELECT attname::text AS column, format_type(atttypid, atttypmod) AS type
       FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
       WHERE indrelid = $1::regclass AND indisprimary ORDER BY array_position(indkey, attnum)`,
      [`"${table}"`],
    ) as CompiledQuery<{ column: string; type: string }>,
  )
