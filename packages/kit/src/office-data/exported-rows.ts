import { CompiledQuery } from 'kysely'
import type { Id } from '../caller/index.js'
import { type Database, office, rowPages } from '../database/index.js'
import { currentOffice, isExported, secretsOf, type TableRule, type Tables } from '../tables/index.js'

/** A table of which an office may read rows. */
export interface ExportedTable {
  readonly name: string
  /** SQL of the condition on the rows that the office reads. The policy of the table demands the same, but its `OR` for the platform prevents an index scan. */
  readonly where: string
  /** The columns that the export leaves out. */
  readonly secrets: readonly string[]
}

const whereOf = (rules: readonly TableRule[]): string => {
  const ofOffice = rules.flatMap((rule) => (rule.kind === 'office' ? [`"${rule.column}" = ${currentOffice}`] : []))
  const readable = rules.flatMap((rule) => (rule.kind === 'readable' ? [`(${rule.where})`] : []))
  return (ofOffice.length > 0 ? ofOffice : readable).join(' OR ')
}

/** The tables of a service that an export contains, in the order of their declaration. */
export const exportedTables = (tables: Tables): ExportedTable[] =>
  Object.entries(tables).flatMap(([name, rules]) => (isExported(rules) ? [{ name, where: whereOf(rules), secrets: secretsOf(rules) }] : []))

interface Row {
  /** The primary key, as texts. */
  readonly key: string[]
  readonly json: string
}

/**
 * The rows of a table that the office may read, each as one line of JSON, in pages and in the order of the primary key. Each page is read by its own
 * statement, so there is no common snapshot: a row that changes during the export is exported as it was before or after the change.
 */
export async function* exportedRows(
  db: Database<unknown>,
  { name, where, secrets }: ExportedTable,
  customerId: Id,
): AsyncGenerator<string[]> {
  const pages = await rowPages(db, `"${name}"`)
  const statement = (isFirst: boolean) => `
    WITH page AS MATERIALIZED (${pages.next(`"${name}" WHERE (${where})`, isFirst ? null : 2)})
    SELECT page.key, (to_jsonb("${name}".*) - $1::text[])::text AS json FROM page JOIN "${name}" ON "${name}".ctid = page.place ORDER BY page.nth`

  let last: string[] | undefined
  do {
    const values = [secrets, ...(last ?? [])]
    const rows = await db.query(office(customerId), CompiledQuery.raw(statement(!last), values) as CompiledQuery<Row>)
    if (rows.length > 0) yield rows.map(({ json }) => json)
    last = rows.at(-1)?.key
  } while (last)
}
