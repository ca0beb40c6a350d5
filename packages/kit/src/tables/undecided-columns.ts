import pg from 'pg'
import { databaseConnection } from '../database-address/index.js'
import type { TableRule, Tables } from './rules.js'

/** Columns in which a name or an address may stand. Numbers, moments and random ids say nobody's. */
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

const goesWhole = (rule: TableRule) => rule.kind === 'personal' && rule.becomes === 'nothing'

/**
 * The columns of texts of which the rules do not say what becomes of a person who is erased: `personal`, `written`, `impersonal` or `secret`.
 * @param ownerUrl address of the database, as the owner of the tables
 * @returns each as `table.column`
 */
export async function undecidedColumns(ownerUrl: string, tables: Tables): Promise<string[]> {
  const owner = new pg.Client(databaseConnection(ownerUrl))
  await owner.connect()
  try {
    const { rows } = await owner.query<{ table: string; columns: string[] }>(columnsOfTexts)
    return rows.flatMap(({ table, columns }) => {
      const rules = tables[table] ?? []
      const decided = new Set(rules.flatMap(decidedBy))
      return rules.some(goesWhole)
        ? []
        : columns.filter((column) => tables[table] && !decided.has(column)).map((column) => `${table}.${column}`)
    })
  } finally {
    await owner.end()
  }
}
