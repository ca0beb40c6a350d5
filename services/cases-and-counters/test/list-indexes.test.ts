import { type TestDatabase, testDatabase } from '@caseway/testing'
import { declaredResources } from '@caseway/testing/declared-resources'
import { itServesListsFromIndexes } from '@caseway/testing/list-indexes'
import { afterAll, beforeAll } from '@jest/globals'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ name: 'cases-and-counters' })
})
afterAll(() => database.drop())

itServesListsFromIndexes(await declaredResources(new URL('../src/', import.meta.url)), () => database)
