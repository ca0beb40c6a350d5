import { type RawBuilder, sql } from 'kysely'
import type { Id } from '../../caller/index.js'
import {
  type Column,
  columnsOf,
  columnsWithin,
  type EmbeddedObject,
  embeddedName,
  type Many,
  type Resource,
  type StoredRow,
  storedObjects,
  withStoredObjects,
} from '../../resource/index.js'
import { fromText } from '../connections/values.js'
import type { Scoped } from '../scope.js'
import { type ParamOf, prepared } from '../statements/cached-query.js'
import type { Database } from '../types.js'

/** Selects the objects embedded in the record with this id: the columns of their fields, and those of nested objects as `"CommonFile.name"`. */
type SelectEmbedded = (recordId: RawBuilder<unknown>) => RawBuilder<unknown>

/** Reads the objects embedded in the records with these ids, for `resourceReads`. */
export type EmbeddedRead<E extends Many> = (scoped: Scoped, ids: readonly Id[]) => Promise<readonly EmbeddedObject<E>[]>

/**
 * A read of the objects that a resource embeds, those of each record in the order of `select`. Where the routes use stored rows (see `withStoredRows`), the
 * statement that reads the records reads the objects as well.
 */
export function embeddedRows<E extends Many>(db: Database<unknown>, objects: E, select: SelectEmbedded): EmbeddedRead<E> {
  const texts = textsOf(objects)
  const ofAll = prepared(
    (param: ParamOf<readonly Id[]>) => sql`
      SELECT object.* FROM unnest(${param((ids) => ids)}::bigint[]) AS record (id),
        LATERAL (SELECT ${texts} FROM (${select(sql.ref('record.id'))}) AS objects) AS object`,
  )
  const objectOf = objectReader(objects)
  const read = async (scoped: Scoped, ids: readonly Id[]) => (await db.pipelined.queryTexts(scoped, ofAll(ids))).map(objectOf)
  const asJson: SelectEmbedded = (recordId) => sql`array_to_json(ARRAY(SELECT ARRAY[${texts}] FROM (${select(recordId)}) AS objects))`
  return withStoredObjects(read as unknown as EmbeddedRead<E>, asJson)
}

/** SQL of the embedded objects in a stored row of `resource`; undefined when one of `reads` was not made by `embeddedRows`. */
export function storedEmbedded({ table, idColumn, embedded }: Resource, reads: object = {}): RawBuilder<unknown>[] | undefined {
  const read = (wrapper: string) => (reads as Readonly<Record<string, object>>)[embeddedName(wrapper)]
  const selects = Object.keys(embedded).map((wrapper) => storedObjects<SelectEmbedded>(read(wrapper)))
  return selects.every((select) => select !== undefined) ? selects.map((select) => select(sql.ref(`${table}.${idColumn.wire}`))) : undefined
}

/** The columns as texts in PostgreSQL's output format. A boolean is output as `t`, but its cast to text is `true`. */
function textsOf(objects: Many): RawBuilder<unknown> {
  const text = ({ wire, field }: Column, within = '') => {
    const column = sql.id(within + wire)
    return field.sql === 'boolean' ? sql`left(${column}::text, 1)` : sql`${column}::text`
  }
  const own = columnsOf(objects.fields).map((column) => text(column))
  const within = columnsWithin(objects).flatMap(({ wrapper, columns }) => columns.map((column) => text(column, `${wrapper}.`)))
  return sql.join([...own, ...within])
}

function objectReader(objects: Many) {
  const own = valueReader(columnsOf(objects.fields))
  const within = columnsWithin(objects).map(({ name, columns, from }) => ({ name, read: valueReader(columns, from) }))
  return (row: StoredRow) => ({ ...own(row), ...Object.fromEntries(within.map(({ name, read }) => [name, read(row)])) })
}

const valueReader =
  (columns: readonly Column[], from = 0) =>
  (row: StoredRow) =>
    Object.fromEntries(
      columns.map(({ name, field }, i) => {
        const text = row[from + i] ?? null
        return [name, text === null ? null : fromText[field.sql](text)]
      }),
    )
