import { type RawBuilder, sql } from 'kysely'
import type { SqlType } from '../../fields/index.js'

interface Sorted {
  readonly column: string
  readonly idColumn: string
  readonly type: SqlType
  readonly nullable: boolean
  readonly descending: boolean
}

/**
 * SQL of the condition that a row comes after a cursor in the order of a list (keyset pagination). PostgreSQL sorts null after every value, so that a
 * descending list starts with null. Rows with equal values are sorted by id, in the direction of the list.
 * @param value the value of the sorted column at the cursor
 * @param id the id at the cursor
 * @param atNull whether `value` is null
 */
export function afterCursor(
  { column, idColumn, type, nullable, descending }: Sorted,
  value: unknown,
  id: unknown,
  atNull: boolean,
): RawBuilder<boolean> {
  const [sorted, idOfRow] = [sql.ref(column), sql.ref(idColumn)]
  const after = sql.raw(descending ? '<' : '>')
  const laterId = sql<boolean>`${idOfRow} ${after} ${id}::bigint`
  if (column === idColumn) return laterId
  if (atNull) {
    const later = sql<boolean>`(${sorted} IS NULL AND ${laterId})`
    return descending ? sql<boolean>`(${later} OR ${sorted} IS NOT NULL)` : later
  }
  const later = sql<boolean>`(${sorted}, ${idOfRow}) ${after} (${value}::${sql.raw(type)}, ${id}::bigint)`
  return nullable && !descending ? sql<boolean>`(${later} OR ${sorted} IS NULL)` : later
}
