import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Caller, Id } from '../../caller/index.js'
import type { Column, ListQuery, Resource } from '../../resource/index.js'
import { Param } from '../statements/cached-query.js'
import { statements } from '../statements/statements.js'
import { afterCursor } from './keyset.js'

export type Select = SelectQueryBuilder<Record<string, Record<string, unknown>>, string, object>

/** The ids of a caller by which their rows are found. */
type Owner = Pick<Caller, 'customerId' | 'userId'>

/** A column that must hold an id of the caller. */
export interface OwnerColumn {
  readonly column: string
  idOf(owner: Owner): Id | null
}

/** A resource, and the columns that name the owner of its rows. */
export interface OwnedResource {
  readonly resource: Resource
  readonly ownerColumns: readonly OwnerColumn[]
  /** A further condition on the rows that the caller may see. */
  readonly visible?: RawBuilder<boolean> | undefined
  /** SQL of the embedded objects in a stored row. */
  readonly embeddedColumns?: readonly RawBuilder<unknown>[]
}

interface Owned {
  readonly owner: Owner
}

/** The parameters of a query for one record, some, or a list, of those that belong to `owner`. */
export interface OwnedRecord extends Owned {
  readonly id: unknown
}
export interface OwnedSome extends Owned {
  readonly ids: readonly unknown[]
}
export interface OwnedList extends Owned, Omit<ListQuery, 'filters' | 'count'> {
  readonly filters: Readonly<Record<string, unknown>>
}

const record = { id: new Param<OwnedRecord>(({ id }) => id) }
const some = { ids: new Param<OwnedSome>(({ ids }) => ids) }
const list = {
  limit: new Param<OwnedList>(({ limit }) => limit + 1),
  cursorValue: new Param<OwnedList>(({ cursor }) => cursor?.value),
  cursorId: new Param<OwnedList>(({ cursor }) => cursor?.id),
  modifiedSince: new Param<OwnedList>(({ modifiedSince }) => modifiedSince),
}

function ownRows({ resource, ownerColumns, visible }: OwnedResource): Select {
  const { table, where } = resource
  const ofOwner = ownerColumns.reduce(
    (select, { column, idOf }) => select.where(column, '=', new Param<Owned>(({ owner }) => idOf(owner))),
    statements<Record<string, Record<string, unknown>>>().selectFrom(table) as Select,
  )
  const own = visible ? ofOwner.where(visible) : ofOwner
  return Object.entries(where).reduce((select, [column, wanted]) => select.where(column, 'in', [wanted].flat().map(sql.lit)), own)
}

/** The columns of `RowOf` of the resource, for SELECT or RETURNING. */
const selection = ({ columns }: Resource): string[] => [...columns.map(({ wire, name }) => `${wire} as ${name}`), 'version']

/** Selects the columns of `RowOf` of the resource, or of its stored row with `embeddedColumns`. */
export const rows = (select: Select, { resource, embeddedColumns = [] }: OwnedResource): Select =>
  select.select(selection(resource)).select(embeddedColumns.map((objects, i) => objects.as(`embedded${i}`)))

const columnOf = ({ name, columns }: Resource, field: string): Column => {
  const column = columns.find((column) => column.name === field)
  if (!column) throw new Error(`${name} has no column for ${field}.`)
  return column
}

export const selectRecord = (owned: OwnedResource): Select =>
  rows(ownRows(owned), owned).where(owned.resource.idColumn.wire, '=', record.id)

/** Selects the records with these ids, in no particular order. */
export const selectSome = (owned: OwnedResource): Select =>
  rows(ownRows(owned), owned).where(sql<boolean>`${sql.ref(owned.resource.idColumn.wire)} = ANY (${some.ids}::bigint[])`)

/** The rows of a list on all its pages, without order. */
export function filtered(owned: OwnedResource, { filters, modifiedSince }: OwnedList): Select {
  const conditions = Object.entries(filters).map(([field, value]) => ({ field, column: columnOf(owned.resource, field).wire, value }))
  const select = conditions.reduce(
    (select, { field, column, value }) =>
      value === null ? select.where(column, 'is', null) : select.where(column, '=', new Param<OwnedList>(({ filters }) => filters[field])),
    ownRows(owned),
  )
  return modifiedSince ? select.where('modified', '>=', list.modifiedSince) : select
}

export const selectCount = (owned: OwnedResource, query: OwnedList) =>
  filtered(owned, query).select(({ fn }) => fn.countAll<bigint>().as('total'))

/** Adds the order of the list. */
export function sorted(select: Select, { resource }: OwnedResource, { sort }: OwnedList): Select {
  const direction = sort.descending ? 'desc' : 'asc'
  const { wire } = columnOf(resource, sort.field)
  const id = resource.idColumn.wire
  const first = select.orderBy(wire, direction)
  return wire === id ? first : first.orderBy(id, direction)
}

/** The rows of a list after its cursor, without order. */
export function rest(owned: OwnedResource, query: OwnedList): Select {
  const select = filtered(owned, query)
  if (!query.cursor) return select
  const { wire: column, field } = columnOf(owned.resource, query.sort.field)
  const { descending } = query.sort
  const order = { column, idColumn: owned.resource.idColumn.wire, type: field.sql, nullable: field.nullable, descending }
  return select.where(afterCursor(order, list.cursorValue, list.cursorId, query.cursor.value === null))
}

/** Limits a list to one row more than a page, which shows whether there is another page. */
export const limited = (select: Select): Select => select.limit(list.limit as never)

export const selectPage = (owned: OwnedResource, query: OwnedList): Select => limited(sorted(rows(rest(owned, query), owned), owned, query))

/** The key under which the statement of a query is cached: queries that differ only in parameters share it. */
export function shapeOf({ sort, cursor, filters, modifiedSince, search }: OwnedList): string {
  const position = cursor && (cursor.value === null ? 'null' : 'value')
  const names = Object.entries(filters).map(([field, value]) => [field, value === null])
  return JSON.stringify([sort.field, sort.descending, position, names, modifiedSince !== undefined, search !== undefined])
}
