import { action, ok, type Routes, singletonRoute, wrappedBody } from '@caseway/kit/http'
import { currentPassword } from '../passwords/password.field.js'
import { userResource } from './user.resource.js'
import type { UserService } from './user.service.js'

const { email, firstname, lastname, phone, password } = userResource.fields
const body = wrappedBody('User', { email, firstname, lastname, phone, password, current_password: currentPassword }, { partial: true })

/** The caller's own record: every employee reads it, and changes their names, address and password. */
export const meRoutes = (users: UserService): Routes => [
  singletonRoute(userResource, { path: 'me', operationId: 'getCurrentUser' }, (caller) => users.get(caller, caller.userId)),
  action(
    userResource,
    {
      method: 'PUT',
      path: 'me',
      operationId: 'changeCurrentUser',
      body,
      versioned: true,
      answers: { 200: ok },
      allowsExpiredPassword: true,
    },
    ({ caller, body, expected }) => users.changeSelf(caller, body, expected),
  ),
]
