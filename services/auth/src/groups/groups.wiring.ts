import { resourceReads } from '@caseway/kit/database'
import { resourceRoutes } from '@caseway/kit/http'
import type { Db } from '../database.js'
import { groupRepository } from './group.repository.js'
import { groupMembersResource, groupResource } from './group.resource.js'
import { userGroupRepository } from './user-group.repository.js'
import { userGroupRoutes } from './user-group.routes.js'

/** The groups of the offices, and their members. */
export function wireGroups(db: Db) {
  const memberships = userGroupRepository(db)
  const { list } = resourceReads(db, groupMembersResource, { userGroup: memberships.ofGroups })
  return {
    routes: [
      resourceRoutes(groupResource, groupRepository(db)),
      resourceRoutes(groupMembersResource, { list }),
      userGroupRoutes(memberships),
    ],
  }
}
