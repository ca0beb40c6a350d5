import { type Employee, experts } from '@caseway/kit/caller'
import { action, idQuery, ok, type Routes, resourceRoutes } from '@caseway/kit/http'
import type { ResourceHandlers } from '@caseway/kit/resource'
import { type Membership, userGroupResource } from './user-group.resource.js'

const pair = idQuery('user_id', 'group_id')

interface Handlers extends Pick<ResourceHandlers<typeof userGroupResource>, 'get' | 'create' | 'fieldErrors'> {
  removePair(caller: Employee, membership: Membership): Promise<void>
}

/** DELETE names a membership by the ids of person and group, as POST does. */
export const userGroupRoutes = ({ get, create, fieldErrors, removePair }: Handlers): Routes => [
  resourceRoutes(userGroupResource, { get, create, fieldErrors }),
  action(
    userGroupResource,
    {
      method: 'DELETE',
      path: '',
      operationId: 'removeUserGroup',
      query: pair.schema,
      answers: { 200: ok },
      errors: [404],
      roles: experts,
    },
    ({ caller, query }) => removePair(caller, pair.read(query)),
  ),
]
