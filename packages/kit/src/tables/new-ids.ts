/** The ids of the rows of a table in an import: what `kit.new_id` reads. */
const idsOf = (table: string) => `(new_ids -> '${table}')`

/**
 * SQL for `imported`: the id that a row of `table` has here.
 * @param table with its service, as `auth.users`
 * @param id SQL of the id in the export
 */
export const newId = (table: string, id: string): string => `kit.new_id(${idsOf(table)}, (${id})::bigint)`

/** SQL for `imported`: whether a row of `table` was here before the import. */
export const isKnown = (table: string, id: string): string => `coalesce(${idsOf(table)} -> 'known' ? (${id})::text, false)`

/**
 * SQL for `imported`: the id of a row whose table depends on another column; of any other kind it stays as it is.
 * @param kind SQL of what says the kind
 * @param tables the tables by kind
 */
export const newIdOf = (kind: string, id: string, tables: Readonly<Record<string, string>>): string => {
  const cases = Object.entries(tables).map(([name, table]) => `WHEN '${name}' THEN ${newId(table, id)}`)
  return `CASE ${kind} ${cases.join(' ')} ELSE ${id} END`
}

/** SQL for `imported`: a text with a JSON array of ids, each a number or a text as before. */
export const newIdsOf = (table: string, column: string): string => {
  const id = newId(table, "one #>> '{}'")
  const ids = `SELECT coalesce(jsonb_agg(CASE jsonb_typeof(one) WHEN 'string' THEN to_jsonb(${id}::text) ELSE to_jsonb(${id}) END ORDER BY nth), '[]')
    FROM jsonb_array_elements(${column}::jsonb) WITH ORDINALITY AS each(one, nth)`
  return `CASE ${column} WHEN '' THEN '' ELSE replace((${ids})::text, ', ', ',') END`
}
