/** SQL of the `IdBlock` of a table: the first argument of `kit.new_id`. */
const idsOf = (table: string) => `(new_ids -> '${table}')`

/**
 * SQL for `imported`: the new id of a row of `table`.
 * @param table with its service, as `auth.users`
 * @param id SQL of the id in the export
 */
export const newId = (table: string, id: string): string => `kit.new_id(${idsOf(table)}, (${id})::bigint)`

/** SQL for `imported`: whether this installation had the row of `table` before the import. */
export const isKnown = (table: string, id: string): string => `coalesce(${idsOf(table)} -> 'known' ? (${id})::text, false)`

/**
 * SQL for `imported`: the new id of a row whose table depends on another column. The id stays unchanged where `tables` does not have the kind.
 * @param kind SQL of the kind
 * @param tables the tables, with their services, by kind
 */
export const newIdOf = (kind: string, id: string, tables: Readonly<Record<string, string>>): string => {
  const cases = Object.entries(tables).map(([name, table]) => `WHEN '${name}' THEN ${newId(table, id)}`)
  return `CASE ${kind} ${cases.join(' ')} ELSE ${id} END`
}

/** SQL for `imported`: the new ids of a text column that holds a JSON array of ids. Numbers stay numbers, and texts stay texts. */
export const newIdsOf = (table: string, column: string): string => {
  const id = newId(table, "one #>> '{}'")
  const ids = `SELECT coalesce(jsonb_agg(CASE jsonb_typeof(one) WHEN 'string' THEN to_jsonb(${id}::text) ELSE to_jsonb(${id}) END ORDER BY nth), '[]')
    FROM jsonb_array_elements(${column}::jsonb) WITH ORDINALITY AS each(one, nth)`
  return `CASE ${column} WHEN '' THEN '' ELSE replace((${ids})::text, ', ', ',') END`
}
