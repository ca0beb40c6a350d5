import { type TestDatabase, testDatabase } from '@caseway/testing'
import { itServesListsFromIndexes } from '@caseway/testing/list-indexes'
import { afterAll, beforeAll } from '@jest/globals'
import { auditEventResource } from '../src/audit/audit-event.resource.js'
import { clientResource } from '../src/clients/client.resource.js'
import { officeLinkResource } from '../src/clients/office-link.resource.js'
import { ownLinkResource } from '../src/clients/own-link.resource.js'
import { groupMembersResource, groupResource } from '../src/groups/group.resource.js'
import { userRoleResource } from '../src/roles/user-role.resource.js'
import { userResource } from '../src/users/user.resource.js'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ name: 'auth' })
})
afterAll(() => database.drop())

const resources = [
  auditEventResource,
  clientResource,
  groupResource,
  groupMembersResource,
  officeLinkResource,
  ownLinkResource,
  userRoleResource,
  userResource,
]
itServesListsFromIndexes(resources, () => database)
