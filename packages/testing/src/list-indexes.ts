import type { Resource } from '@caseway/kit/resource'
import { beforeAll, describe, expect, it } from '@jest/globals'
import type { TestDatabase } from './database.js'
import { fillLists, findsByIndex, readsInOrder } from './list-plans.js'

/**
 * Tests that an index serves each sort key and each filter of the lists of `resources`, where the service reads 100,000 rows of a large office and
 * many small ones: a page is read in the order of the key, and the records with one value are found. `unindexed` in the declaration of a resource names those that none serves, and no others.
 */
export function itServesListsFromIndexes(resources: readonly Resource[], database: () => TestDatabase): void {
  if (resources.length === 0) return
  describe('an index serves each sort key and filter', () => {
    beforeAll(() => fillLists(database(), resources), 120_000)

    for (const resource of resources) {
      it(`of ${resource.path} of ${resource.audience}s, but for those that are declared unindexed`, async () => {
        const unserved = new Set<string>()
        for (const key of resource.sort) if (!(await readsInOrder(database(), resource, key))) unserved.add(key)
        for (const filter of resource.filter) if (!(await findsByIndex(database(), resource, filter))) unserved.add(filter)
        expect([...unserved].sort()).toEqual(Object.keys(resource.unindexed).sort())
      })
    }
  })
}
