import type { Id } from '../../caller/index.js'
import { notFound, stale } from '../../errors/index.js'
import type { CallerOf, ListQuery, Page, Resource, RowOf } from '../../resource/index.js'
import { createQueryCache } from '../statements/cached-query.js'
import type { Database } from '../types.js'
import { type OwnedList, type OwnedResource, selectCount, selectPage, selectRecord, shapeOf } from './resource-statements.js'

/** The reads that every resource has, each of them of the caller's own rows only. */
export interface ResourceReads<R extends Resource> {
  find(caller: CallerOf<R>, id: Id): Promise<RowOf<R> | null>
  /** @throws AppError `not-found` */
  get(caller: CallerOf<R>, id: Id): Promise<RowOf<R>>
  /** A page by keyset: its cost does not grow with the pages before it. */
  list(caller: CallerOf<R>, query: ListQuery<R>): Promise<Page<RowOf<R>>>
  /**
   * The record as it is now, locked until the transaction of `write` ends. `tx` shows that there is one.
   * @throws AppError `not-found`, or `stale` when `expected` is given and no longer the version
   */
  lock(tx: object, caller: CallerOf<R>, id: Id, expected?: number): Promise<RowOf<R>>
}

/**
 * Derives the plain reads from a resource's declaration. The rows of an office are those with its `customer_id`, those of a client
 * the ones whose `ownedBy` column is theirs.
 */
export function resourceReads<R extends Resource>(db: Database<unknown>, resource: R): ResourceReads<R> {
  const owned: OwnedResource = { resource, ownerColumn: ownerColumnOf(resource) }
  const cachedQuery = createQueryCache()
  const ownerOf = (caller: CallerOf<R>) => caller.customerId ?? caller.userId

  const find = async (caller: CallerOf<R>, id: Id, lock = false) => {
    const build = () => (lock ? selectRecord(owned).forUpdate() : selectRecord(owned))
    const [row] = await db.query(caller, cachedQuery(lock ? 'lock' : 'find', build, { owner: ownerOf(caller), id }))
    return (row as RowOf<R> | undefined) ?? null
  }
  const existing = async (found: Promise<RowOf<R> | null>) => {
    const row = await found
    if (!row) throw notFound()
    return row
  }
  const count = async (caller: CallerOf<R>, list: OwnedList) => {
    const [row] = await db.query(
      caller,
      cachedQuery(`count ${shapeOf({ ...list, cursor: undefined })}`, () => selectCount(owned, list), list),
    )
    return Number(row?.total)
  }

  return {
    find: (caller, id) => find(caller, id),
    get: (caller, id) => existing(find(caller, id)),
    async list(caller, query) {
      const list: OwnedList = { ...query, owner: ownerOf(caller) }
      const page = db.query(
        caller,
        cachedQuery(shapeOf(list), () => selectPage(owned, list), list),
      )
      const [rows, total] = await Promise.all([page as Promise<RowOf<R>[]>, query.count ? count(caller, list) : undefined])
      return { items: rows.slice(0, query.limit), next: nextOf(rows, query), total }
    },
    async lock(_tx, caller, id, expected) {
      const row = await existing(find(caller, id, true))
      if (expected !== undefined && row.version !== expected) throw stale()
      return row
    },
  }
}

function ownerColumnOf({ name, audience, ownedBy }: Resource): string {
  const column = audience === 'client' ? ownedBy : 'customer_id'
  if (!column) throw new Error(`${name} is served to clients and does not say by which column it is theirs.`)
  return column
}

/** Where the page after this one starts, if there is one. */
function nextOf<Row extends object>(rows: readonly Row[], { limit, sort }: ListQuery): Page<Row>['next'] {
  const last = rows.length > limit && rows[limit - 1]
  if (!last) return undefined
  const fields = last as Record<string, unknown>
  return { value: fields[sort.field], id: fields.id as Id }
}
