import { type RawBuilder, sql } from 'kysely'
import type { Search } from '../../resource/index.js'
import { Param } from '../statements/cached-query.js'
import { statements } from '../statements/statements.js'
import { filtered, limited, type OwnedList, type OwnedResource, rest, rows, type Select, sorted } from './resource-statements.js'

/** A resource whose lists can be searched. */
export interface SearchedResource extends OwnedResource {
  readonly search: Search
}

/**
 * How many rows are scanned in the order of the list before the index is used. A row costs about as much as a hundred matches in the index. A word that is
 * frequent enough to fill the page from these rows needs no index.
 */
const lookedAt = ({ limit }: OwnedList) => 300 + 4 * limit

const param = {
  text: new Param<OwnedList>(({ search }) => search),
  lookedAt: new Param<OwnedList>(lookedAt),
  oneMore: new Param<OwnedList>((query) => lookedAt(query) + 1),
  before: new Param<OwnedList>(({ cursor }) => cursor?.id ?? null),
  page: new Param<OwnedList>(({ limit }) => limit + 1),
}

const from = (rows: Select, { resource }: OwnedResource) => statements().selectFrom(rows.as(resource.table)) as unknown as Select

/** SQL of whether the words of a row match. `search_query` is in a subselect, so that PostgreSQL evaluates it once for an office and not for each row. */
function matches({ search, resource, ownerColumns }: SearchedResource) {
  const documents = sql.table(search.table)
  const of = (column: string) => sql`${documents}.${sql.ref(column)}`
  const row = (column: string) => sql.ref(`${resource.table}.${column}`)
  const office = ownerColumns.find(({ column }) => column === 'customer_id')
  const customerId = office ? new Param<OwnedList>(({ owner }) => office.idOf(owner)) : of('customer_id')
  return sql<boolean>`EXISTS (
    SELECT FROM ${documents}
    WHERE ${of('customer_id')} = ${row('customer_id')} AND ${of(search.of)} = ${row(resource.idColumn.wire)}
      AND ${of('document')} @@ (SELECT search_query(${customerId}, ${param.text}, ${search.labels ?? ''})))`
}

/**
 * A page of the rows whose words match, by scanning the list in its order: all rows, or only the first `lookedAt` when there is an index for the rest. A
 * common word fills the page quickly; the index would first return all its matches, unordered.
 */
export function selectFirstMatches(searched: SearchedResource, query: OwnedList): Select {
  const all = sorted(rest(searched, query).selectAll(), searched, query)
  const looked = searched.search.found ? all.limit(param.lookedAt as never) : all
  return limited(sorted(rows(from(looked, searched), searched), searched, query).where(matches(searched)))
}

/** Whether the list has no condition but the words, and is sorted newest first: then the index need not return more matches than a page has. */
function isNewestOfAll(
  { resource, search, ownerColumns, visible }: SearchedResource,
  { sort, filters, modifiedSince }: OwnedList,
): boolean {
  const isNewestFirst = sort.field === resource.idColumn.name && sort.descending
  const isOfficeWhole = ownerColumns.length === 1 && !visible && !modifiedSince
  const isUnconditional = [filters, resource.where].every((conditions) => Object.keys(conditions).length === 0)
  return search.foundNewest === true && isNewestFirst && isOfficeWhole && isUnconditional
}

/** The rows of `select` that the index finds, in the order of their ids. */
function foundRows({ resource }: SearchedResource, found: RawBuilder<unknown>, select: Select, direction = 'asc'): Select {
  const ids = sql<object>`(SELECT record_id FROM ${found} AS record_id ORDER BY record_id ${sql.raw(direction)})`
  const row = select.selectAll().where(resource.idColumn.wire, '=', sql.ref('found.record_id')).limit(1)
  const joined = statements<Record<string, Record<string, unknown>>>().selectFrom(ids.as('found'))
  return joined.innerJoinLateral(row.as(resource.table), (join) => join.onTrue()) as unknown as Select
}

const matchesOf = (found: string) => sql`${sql.ref(found)}(${param.text})`

/** A page of the rows whose words match, by the index. Empty when `selectFirstMatches` has already scanned all rows of the list. */
export function selectFound(searched: SearchedResource, found: string, query: OwnedList): Select {
  const { resource } = searched
  const { field, descending } = query.sort
  const direction = descending ? 'desc' : 'asc'
  const looked = sorted(rest(searched, query).selectAll(), searched, query).limit(param.oneMore as never)
  const more = sql<boolean>`(SELECT count(*) FROM (${looked}) AS looked) > ${param.lookedAt}`
  const matches = isNewestOfAll(searched, query)
    ? sql`${sql.ref(found)}(${param.text}, ${param.before}::bigint, ${param.page})`
    : matchesOf(found)
  const select = rows(foundRows(searched, matches, rest(searched, query), direction), searched).where(more)
  // The index returns ids in this order, so that PostgreSQL can stop when the page is full.
  const inOrder = field === resource.idColumn.name ? select.orderBy('found.record_id', direction) : sorted(select, searched, query)
  return limited(inOrder)
}

/** Counts the rows whose words match, on all pages. */
export function selectMatchCount(searched: SearchedResource, query: OwnedList) {
  const { search } = searched
  const all = filtered(searched, query)
  const matching = search.found
    ? foundRows(searched, matchesOf(search.found), all)
    : from(all.selectAll(), searched).where(matches(searched))
  return matching.select(({ fn }) => fn.countAll<bigint>().as('total'))
}
