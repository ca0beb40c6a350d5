import type { CompiledQuery } from 'kysely'
import type { Id } from '../../caller/index.js'
import { createQueryCache } from '../statements/cached-query.js'
import {
  type OwnedList,
  type OwnedRecord,
  type OwnedResource,
  type OwnedSome,
  selectCount,
  selectPage,
  selectRecord,
  selectSome,
  shapeOf,
} from './resource-statements.js'
import { selectFirstMatches, selectFound, selectMatchCount } from './search-statements.js'

export type ResourceQueries = ReturnType<typeof resourceQueries>

/** The queries of the reads of a resource. Each shape of a query is built once. */
export function resourceQueries(owned: OwnedResource) {
  const cachedQuery = createQueryCache()
  const { search } = owned.resource
  const searched = search && { ...owned, search }
  const isSearched = (list: OwnedList) => list.search !== undefined

  return {
    record(owner: OwnedRecord['owner'], id: Id, lock = false): CompiledQuery<unknown> {
      const build = () => (lock ? selectRecord(owned).forUpdate() : selectRecord(owned))
      return cachedQuery(lock ? 'lock' : 'find', build, { owner, id })
    },

    some(owner: OwnedSome['owner'], ids: readonly Id[], keep = false): CompiledQuery<unknown> {
      const build = () => (keep ? selectSome(owned).forKeyShare() : selectSome(owned))
      return cachedQuery(keep ? 'keep' : 'some', build, { owner, ids })
    },

    /** A page of a list. For a search: the matches among the first rows of the list; when they do not fill the page, `found` is the next query. */
    first(list: OwnedList): CompiledQuery<unknown> {
      const shape = shapeOf(list)
      return searched && isSearched(list)
        ? cachedQuery(`first ${shape}`, () => selectFirstMatches(searched, list), list)
        : cachedQuery(shape, () => selectPage(owned, list), list)
    },

    /** The page of a search by its index; undefined without a search or an index. */
    found(list: OwnedList): CompiledQuery<unknown> | undefined {
      if (!searched?.search.found || !isSearched(list)) return undefined
      const { found } = searched.search
      return cachedQuery(`found ${shapeOf(list)}`, () => selectFound(searched, found, list), list)
    },

    count(list: OwnedList): CompiledQuery<{ total: bigint }> {
      const build = () => (searched && isSearched(list) ? selectMatchCount(searched, list) : selectCount(owned, list))
      return cachedQuery(`count ${shapeOf({ ...list, cursor: undefined })}`, build, list)
    },
  }
}
