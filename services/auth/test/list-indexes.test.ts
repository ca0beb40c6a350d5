import { type TestDatabase, testDatabase } from '@caseway/testing'
import { declaredResources } from '@caseway/testing/declared-resources'
import { itServesListsFromIndexes } from '@caseway/testing/list-indexes'
import { afterAll, beforeAll } from '@jest/globals'
import { ownAccountResource } from '../src/clients/own-account.resource.js'
import { customerResource } from '../src/customers/customer.resource.js'
import { userGroupResource } from '../src/groups/user-group.resource.js'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ name: 'auth' })
})
afterAll(() => database.drop())

/** These have no list: there is one record of each, or it is listed within another one. */
const unlisted: readonly unknown[] = [customerResource, ownAccountResource, userGroupResource]
const declared = await declaredResources(new URL('../src/', import.meta.url))
const listed = declared.filter((resource) => !unlisted.includes(resource))

itServesListsFromIndexes(listed, () => database)
