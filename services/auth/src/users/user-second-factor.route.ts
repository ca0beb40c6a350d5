import { experts } from '@caseway/kit/caller'
import { action, ok, type Routes } from '@caseway/kit/http'
import { userResource } from './user.resource.js'
import type { UserService } from './user.service.js'

/** Removes the second factor of a colleague who has lost both authenticator app and recovery codes. */
export const userSecondFactorRoute = (users: Pick<UserService, 'resetSecondFactor'>): Routes =>
  action(
    userResource,
    {
      ...{ method: 'DELETE', path: ':id/second_factor', operationId: 'resetSecondFactor', answers: { 200: ok } },
      ...{ roles: experts, right: 'users.manage' },
    },
    ({ caller, id }) => users.resetSecondFactor(caller, id),
  )
