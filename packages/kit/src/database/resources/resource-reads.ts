import type { Id } from '../../caller/index.js'
import { notFound, stale } from '../../errors/index.js'
import type { CallerOf, EmbeddedReads, ListQuery, Page, RecordOf, Resource, RowOf } from '../../resource/index.js'
import { createQueryCache } from '../statements/cached-query.js'
import type { Database } from '../types.js'
import { embedding } from './embedding.js'
import { type OwnedList, type OwnedResource, selectCount, selectPage, selectRecord, selectSome, shapeOf } from './resource-statements.js'

/** The reads that every resource has, each of them of the caller's own rows only. */
export interface ResourceReads<R extends Resource> {
  find(caller: CallerOf<R>, id: Id): Promise<RecordOf<R> | null>
  /** @throws AppError `not-found` */
  get(caller: CallerOf<R>, id: Id): Promise<RecordOf<R>>
  /** Those of `ids` that the caller has, in no order. */
  some(caller: CallerOf<R>, ids: readonly Id[]): Promise<RecordOf<R>[]>
  /** A page by keyset: its cost does not grow with the pages before it. */
  list(caller: CallerOf<R>, query: ListQuery<R>): Promise<Page<RecordOf<R>>>
  /**
   * The row as it is now, locked until the transaction of `write` ends. `tx` shows that there is one.
   * @throws AppError `not-found`, or `stale` when `expected` is given and no longer the version
   */
  lock(tx: object, caller: CallerOf<R>, id: Id, expected?: number): Promise<RowOf<R>>
}

/** Needed where the resource declares objects beside its records. */
type Embedding<R extends Resource> = Record<never, never> extends EmbeddedReads<R> ? [] : [EmbeddedReads<R>]

/**
 * Derives the plain reads from a resource's declaration. The rows of an office are those with its `customer_id`, those of a client
 * the ones whose `ownedBy` column is theirs.
 */
export function resourceReads<R extends Resource>(db: Database<unknown>, resource: R, ...[embedded]: Embedding<R>): ResourceReads<R> {
  const owned: OwnedResource = { resource, ownerColumn: ownerColumnOf(resource) }
  const cachedQuery = createQueryCache()
  const ownerOf = (caller: CallerOf<R>) => caller.customerId ?? caller.userId
  const embed = embedding(resource, embedded)

  const find = async (caller: CallerOf<R>, id: Id, lock = false) => {
    const build = () => (lock ? selectRecord(owned).forUpdate() : selectRecord(owned))
    return (await db.query(caller, cachedQuery(lock ? 'lock' : 'find', build, { owner: ownerOf(caller), id }))) as RowOf<R>[]
  }
  const existing = <Found>([found]: readonly Found[]): Found => {
    if (!found) throw notFound()
    return found
  }
  const count = async (caller: CallerOf<R>, list: OwnedList) => {
    const [row] = await db.query(
      caller,
      cachedQuery(`count ${shapeOf({ ...list, cursor: undefined })}`, () => selectCount(owned, list), list),
    )
    return Number(row?.total)
  }

  return {
    find: async (caller, id) => (await embed(caller, await find(caller, id)))[0] ?? null,
    get: async (caller, id) => existing(await embed(caller, await find(caller, id))),
    async some(caller, ids) {
      const rows = await db.query(
        caller,
        cachedQuery('some', () => selectSome(owned), { owner: ownerOf(caller), ids }),
      )
      return embed(caller, rows as RowOf<R>[])
    },
    async list(caller, query) {
      const list: OwnedList = { ...query, owner: ownerOf(caller) }
      const page = db.query(
        caller,
        cachedQuery(shapeOf(list), () => selectPage(owned, list), list),
      )
      const [rows, total] = await Promise.all([page as Promise<RowOf<R>[]>, query.count ? count(caller, list) : undefined])
      return { items: await embed(caller, rows.slice(0, query.limit)), next: nextOf(rows, query), total }
    },
    async lock(_tx, caller, id, expected) {
      const row = existing(await find(caller, id, true))
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
