import pg from 'pg'
import { databaseConnection } from '../database-address/index.js'
import { isImported, type TableRule, type Tables } from './rules.js'

/** Columns that are named as ids are. What a table gives itself is none of another. */
const columnsOfIds = `
  SELECT relname AS table, array_agg(attname::text ORDER BY attnum) AS columns
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attidentity = ''
    AND format_type(atttypid, NULL) IN ('bigint', 'bigint[]') AND attname ~ '(^|_)(id|ids|by)$'
  GROUP BY 1 ORDER BY 1`

const declaredBy = (rule: TableRule): readonly string[] => {
  if (rule.kind === 'foreign-ids' || rule.kind === 'imported') return Object.keys(rule.columns)
  return rule.kind === 'office' ? [rule.column] : []
}

/**
 * The columns of ids of which the rules of an imported table do not say whose they are: `foreignIds` or `imported`.
 * @param ownerUrl address of the database, as the owner of the tables
 * @returns each as `table.column`
 */
export async function undeclaredIds(ownerUrl: string, tables: Tables): Promise<string[]> {
  const owner = new pg.Client(databaseConnection(ownerUrl))
  await owner.connect()
  try {
    const { rows } = await owner.query<{ table: string; columns: string[] }>(columnsOfIds)
    return rows.flatMap(({ table, columns }) => {
      const rules = tables[table] ?? []
      const declared = new Set(rules.flatMap(declaredBy))
      return isImported(rules) ? columns.filter((column) => !declared.has(column)).map((column) => `${table}.${column}`) : []
    })
  } finally {
    await owner.end()
  }
}
