import { asOwner } from './as-owner.js'
import { isImported, type TableRule, type Tables } from './rules.js'

/** Columns whose names are those of ids, except for the identity column of the table itself. */
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
 * The id columns of imported tables for which no rule (`foreignIds`, `imported`) names the table that they refer to.
 * @param ownerUrl address of the database, as the owner of the tables
 * @returns each as `table.column`
 */
export async function undeclaredIds(ownerUrl: string, tables: Tables): Promise<string[]> {
  const { rows } = await asOwner(ownerUrl, (owner) => owner.query<{ table: string; columns: string[] }>(columnsOfIds))
  return rows.flatMap(({ table, columns }) => {
    const rules = tables[table] ?? []
    const declared = new Set(rules.flatMap(declaredBy))
    return isImported(rules) ? columns.filter((column) => !declared.has(column)).map((column) => `${table}.${column}`) : []
  })
}
