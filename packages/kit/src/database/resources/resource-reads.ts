import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Id } from '../../caller/index.js'
import { notFound, requireVersion } from '../../errors/index.js'
import {
  type CallerOf,
  type Cursor,
  camel,
  type EmbeddedReads,
  type ListQuery,
  type Page,
  type RecordOf,
  type Resource,
  type RowOf,
  type StoredPage,
  type StoredRow,
  withStoredRows,
} from '../../resource/index.js'
import { fromText } from '../connections/values.js'
import { Param, type ParamOf } from '../statements/cached-query.js'
import type { Database } from '../types.js'
import { type EmbeddableReads, embeddableReader } from './embeddable.js'
import { storedEmbedded } from './embedded-rows.js'
import { embedding } from './embedding.js'
import { type ResourceQueries, resourceQueries } from './resource-queries.js'
import type { OwnedList, OwnedResource, OwnerColumn } from './resource-statements.js'

/** The reads that every resource has. They return only rows that belong to the caller (see `resourceReads`). */
export interface ResourceReads<R extends Resource> {
  find(caller: CallerOf<R>, id: Id): Promise<RecordOf<R> | null>
  /** @throws AppError `not-found` when the caller has no such record */
  get(caller: CallerOf<R>, id: Id): Promise<RecordOf<R>>
  /** The records with these ids that belong to the caller, in no particular order. */
  some(caller: CallerOf<R>, ids: readonly Id[]): Promise<RecordOf<R>[]>
  /** A page of a list, by keyset pagination: it costs the same for late pages. */
  list(caller: CallerOf<R>, query: ListQuery<R>): Promise<Page<RecordOf<R>>>
  /**
   * The current row, locked until the transaction of `write` ends (FOR UPDATE).
   * @param tx proves that the caller is inside of a `write`
   * @throws AppError `not-found`, or `stale` when `expected` is given and differs from the version of the row
   */
  lock(tx: object, caller: CallerOf<R>, id: Id, expected?: number): Promise<RowOf<R>>
  /** The rows with these ids, locked against deletion until the transaction of `write` ends (FOR KEY SHARE). See `references`. */
  keep(tx: object, caller: CallerOf<R>, ids: readonly Id[]): Promise<RowOf<R>[]>
}

/** The reads of embedded objects: first those of `embedded` in the declaration, if it has any, then those of `embeddable`. */
type Embedding<R extends Resource> =
  Record<never, never> extends EmbeddedReads<R> ? [EmbeddedReads<R>?, EmbeddableReads?] : [EmbeddedReads<R>, EmbeddableReads?]

/**
 * Derives the reads from the declaration of a resource. The rows of an employee are those with the `customer_id` of their office and, with `ownedBy`, their
 * own id in that column. The rows of a client are those with their own id in the column `ownedBy`, of all offices.
 * @throws Error when a resource for clients has no `ownedBy`
 */
export function resourceReads<R extends Resource>(
  db: Database<unknown>,
  resource: R,
  ...[embedded, embeddable = {}]: Embedding<R>
): ResourceReads<R> {
  return readsOf(db, resource, { resource, ownerColumns: ownerColumnsOf(resource) }, embedded, embeddable)
}

/** The parameters of a query, of which `owner` is the caller. */
export interface QueryOf<Viewer> {
  readonly owner: Viewer
}

/**
 * `resourceReads` for rows that not every employee of an office may see: all reads, `lock` and `keep` add the condition `visible`. Such a resource embeds no
 * objects.
 * @param visible makes SQL of the condition; its `param` takes values from the caller
 */
export function visibleReads<R extends Resource, Viewer extends CallerOf<R>>(
  db: Database<unknown>,
  resource: R,
  visible: (param: ParamOf<QueryOf<Viewer>>) => RawBuilder<boolean>,
): VisibleReads<R, Viewer> {
  const param = <Value>(read: (query: QueryOf<Viewer>) => Value) => new Param(read) as Value
  const owned = { resource, ownerColumns: ownerColumnsOf(resource), visible: visible(param) }
  return readsOf(db, resource, owned) as VisibleReads<R, Viewer>
}

/** `ResourceReads` with a caller of the type `Viewer`, whose further properties `visible` may use. */
export type VisibleReads<R extends Resource, Viewer extends CallerOf<R>> = {
  readonly [Name in 'find' | 'get' | 'some' | 'list']: ResourceReads<R>[Name] extends (
    caller: CallerOf<R>,
    ...rest: infer Rest
  ) => infer Answer
    ? (caller: Viewer, ...rest: Rest) => Answer
    : never
} & {
  readonly [Name in 'lock' | 'keep']: ResourceReads<R>[Name] extends (tx: object, caller: CallerOf<R>, ...rest: infer Rest) => infer Answer
    ? (tx: object, caller: Viewer, ...rest: Rest) => Answer
    : never
}

function readsOf<R extends Resource>(
  db: Database<unknown>,
  resource: R,
  owned: OwnedResource,
  embedded?: EmbeddedReads<R>,
  embeddable: EmbeddableReads = {},
): ResourceReads<R> {
  const embed = embedding(resource, embedded)
  const readEmbeddable = embeddableReader(db, resource, embeddable)
  const queries = resourceQueries(owned)
  const embeddedColumns = storedEmbedded(resource, embedded)
  const storedQueries = embeddedColumns?.length ? resourceQueries({ ...owned, embeddedColumns }) : queries

  const find = async (caller: CallerOf<R>, id: Id, lock = false) =>
    (await db.pipelined.query(caller, queries.record(caller, id, lock))) as RowOf<R>[]
  const someOf = async (caller: CallerOf<R>, ids: readonly Id[], keep = false) =>
    (await db.pipelined.query(caller, queries.some(caller, ids, keep))) as RowOf<R>[]

  const count = async (caller: CallerOf<R>, list: OwnedList) => {
    const [row] = await db.query(caller, queries.count(list))
    return Number(row?.total)
  }
  const rowsOf = async <Row>(
    caller: CallerOf<R>,
    list: OwnedList,
    read: Read<R, Row>,
    { first, found }: ResourceQueries,
  ): Promise<Row[]> => {
    const rows = await read(caller, first(list))
    const others = rows.length > list.limit ? undefined : found(list)
    const all = others ? await read(caller, others) : []
    return all.length > 0 ? all : rows
  }
  /** Reads a page. @param cursorAt returns the cursor after a row */
  const page = async <Row>(
    caller: CallerOf<R>,
    query: ListQuery<R>,
    { read, queries, cursorAt }: { read: Read<R, Row>; queries: ResourceQueries; cursorAt: CursorAt<Row> },
  ): Promise<Page<Row>> => {
    const { limit, sort } = query
    const list: OwnedList = { ...query, owner: caller }
    const [rows, total] = await Promise.all([rowsOf(caller, list, read, queries), query.count ? count(caller, list) : undefined])
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return { items: rows.slice(0, limit), next: last && cursorAt(last, sort.field), total }
  }

  const get = async (caller: CallerOf<R>, id: Id) => existing(await embed(caller, await find(caller, id)))
  const getStored = async (caller: CallerOf<R>, id: Id) => existing(await db.pipelined.queryTexts(caller, storedQueries.record(caller, id)))

  const asRecords = { queries, cursorAt: cursorAtRow(resource) }
  const asStored = { queries: storedQueries, cursorAt: cursorAtStored(resource) }
  const isQuick = quickLists(resource)
  const listing = (query: ListQuery<R>) => (isQuick(query) ? db.pipelined : db)
  const list = async (caller: CallerOf<R>, query: ListQuery<R>) => {
    const rows = await page(caller, query, { ...asRecords, read: listing(query).query as Read<R, RowOf<R>> })
    return { ...rows, items: await embed(caller, rows.items) }
  }
  const listStored = async (caller: CallerOf<R>, query: ListQuery<R>): Promise<StoredPage> => {
    const rows = await page(caller, query, { ...asStored, read: listing(query).queryTexts as Read<R, StoredRow> })
    return query.embed ? { ...rows, embeddable: await readEmbeddable(caller, rows.items, query.embed) } : rows
  }

  return {
    find: async (caller, id) => (await embed(caller, await find(caller, id)))[0] ?? null,
    get: embeddedColumns ? withStoredRows(get, getStored) : get,
    some: async (caller, ids) => embed(caller, await someOf(caller, ids)),
    list: embeddedColumns ? withStoredRows(list, listStored) : list,
    async lock(_tx, caller, id, expected) {
      const row = existing(await find(caller, id, true))
      requireVersion(row, expected)
      return row
    },
    keep: (_tx, caller, ids) => someOf(caller, ids, true),
  }
}

/** Whether an index serves a list. Others, and searches, may take so long that pipelined reads should not wait for them. */
function quickLists({ unindexed }: Resource) {
  const slow = new Set(Object.keys(unindexed).map(camel))
  return ({ search, sort, filters }: ListQuery): boolean =>
    search === undefined && !slow.has(sort.field) && !Object.keys(filters).some((name) => slow.has(name))
}

type Read<R extends Resource, Row> = (caller: CallerOf<R>, statement: CompiledQuery<unknown>) => Promise<Row[]>
type CursorAt<Row> = (row: Row, field: string) => Cursor

const existing = <Found>([found]: readonly Found[]): Found => {
  if (!found) throw notFound()
  return found
}

function ownerColumnsOf({ name, audience, ownedBy }: Resource): OwnerColumn[] {
  const office: OwnerColumn = { column: 'customer_id', idOf: ({ customerId }) => customerId }
  const person: OwnerColumn[] = ownedBy ? [{ column: ownedBy, idOf: ({ userId }) => userId }] : []
  if (audience === 'expert') return [office, ...person]
  if (person.length === 0) throw new Error(`${name} is served to clients, but declares no column with the client to whom a record belongs.`)
  return person
}

const idOf = ({ idColumn }: Resource, row: object) => (row as Record<string, unknown>)[idColumn.name] as Id

const cursorAtRow =
  (resource: Resource): CursorAt<object> =>
  (row, field) => ({ value: (row as Record<string, unknown>)[field], id: idOf(resource, row) })

/** As `cursorAtRow`, for a stored row. */
function cursorAtStored({ columns, idColumn }: Resource): CursorAt<StoredRow> {
  const valueAt = (row: StoredRow, field: string) => {
    const i = columns.findIndex(({ name }) => name === field)
    const [text, column] = [row[i], columns[i]]
    return typeof text === 'string' && column ? fromText[column.field.sql](text) : null
  }
  return (row, field) => ({ value: valueAt(row, field), id: valueAt(row, idColumn.name) as Id })
}
