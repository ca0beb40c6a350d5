import { asOwner } from './as-owner.js'
import type { TableRule, Tables } from './rules.js'

/** Columns that may contain a name or an address: those of text, JSON and bytes. */
const columnsOfTexts = `
  SELECT relname AS table, array_agg(attname::text ORDER BY attnum) AS columns
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    AND format_type(atttypid, NULL) IN ('text', 'character varying', 'character', 'citext', 'json', 'jsonb', 'bytea', 'tsvector', 'text[]')
  GROUP BY 1 ORDER BY 1`

const decidedBy = (rule: TableRule): readonly string[] => {
  if (rule.kind === 'personal') return rule.becomes === 'nothing' ? [] : Object.keys(rule.becomes)
  return rule.kind === 'written' || rule.kind === 'impersonal' || rule.kind === 'secret' ? rule.columns : []
}

const isDeletedWhole = (rule: TableRule) => rule.kind === 'personal' && rule.becomes === 'nothing'

/**
 * The text columns for which no rule (`personal`, `written`, `impersonal`, `secret`) decides what happens to them when a person is erased.
 * @param ownerUrl address of the database, as the owner of the tables
 * @returns each as `table.column`
 */
export async function undecidedColumns(ownerUrl: string, tables: Tables): Promise<string[]> {
  const { rows } = await asOwner(ownerUrl, (owner) => owner.query<{ table: string; columns: string[] }>(columnsOfTexts))
  return rows.flatMap(({ table, columns }) => {
    const rules = tables[table] ?? []
    const decided = new Set(rules.flatMap(decidedBy))
    return rules.some(isDeletedWhole)
      ? []
      : columns.filter((column) => tables[table] && !decided.has(column)).map((column) => `${table}.${column}`)
  })
}
