import { type Employee, experts, parseId } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import { action, ok, type Routes, resourceRoutes } from '@caseway/kit/http'
import type { ResourceHandlers } from '@caseway/kit/resource'
import Type, { type Static } from 'typebox'
import { type Membership, userGroupResource } from './user-group.resource.js'

const Pair = Type.Object({ user_id: Type.String(), group_id: Type.String() })

interface Handlers extends Pick<ResourceHandlers<typeof userGroupResource>, 'get' | 'create'> {
  removePair(caller: Employee, membership: Membership): Promise<void>
}

/** A membership is added by its pair of ids, and ended by it. */
export const userGroupRoutes = ({ get, create, removePair }: Handlers): Routes => [
  resourceRoutes(userGroupResource, { get, create }),
  action(
    userGroupResource,
    {
      method: 'DELETE',
      path: '',
      operationId: 'removeUserGroup',
      query: Pair,
      answers: { 200: ok },
      errors: [404],
      roles: experts,
    },
    ({ caller, query }) => removePair(caller, membershipOf(query)),
  ),
]

function membershipOf({ user_id, group_id }: Static<typeof Pair>): Membership {
  const [userId, groupId] = [parseId(user_id), parseId(group_id)]
  const wrong = { ...(userId === undefined && { user_id: 'must be an id' }), ...(groupId === undefined && { group_id: 'must be an id' }) }
  if (userId === undefined || groupId === undefined) throw invalid(wrong)
  return { userId, groupId }
}
