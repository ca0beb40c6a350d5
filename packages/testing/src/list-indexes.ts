import type { Resource } from '@caseway/kit/resource'
import { beforeAll, describe, expect, it } from '@jest/globals'
import type { TestDatabase } from './database.js'
import { fillLists, findsByIndex, readsInOrder } from './list-plans.js'

/**
 * Tests that each sort key and each filter of the lists of `resources` is served by an index, with 100,000 rows of one large and many small offices:
 * a page is read in the order of the key, and records with one value are found. `unindexed` of a resource must contain exactly the exceptions.
 */
export function itServesListsFromIndexes(resources: readonly Resource[], database: () => TestDatabase): void {
  if (resources.length === 0) return
  describe('an index serves each sort key and filter', () => {
    beforeAll(() => fillLists(database(), resources), 120_000)

    for (const resource of resources) {
      it(`of ${resource.path} of ${resource.audience}s, except for the declared unindexed ones`, async () => {
        const unserved = new Set<string>()
        for (const key of resource.sort) if (!(await readsInOrder(database(), resource, key))) unserved.add(key)
        for (const filter of resource.filter) if (!(await findsByIndex(database(), resource, filter))) unserved.add(filter)
        expect([...unserved].sort()).toEqual(Object.keys(resource.unindexed).sort())
      })
    }
  })
}
