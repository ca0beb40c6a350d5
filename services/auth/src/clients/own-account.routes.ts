import { action, ok, type Routes, singletonRoute, wrappedBody } from '@caseway/kit/http'
import { currentPassword } from '../passwords/password.field.js'
import { ownAccountResource } from './own-account.resource.js'
import type { OwnAccountService } from './own-account.service.js'

const { email, firstname, lastname, phone, password } = ownAccountResource.fields
const body = wrappedBody('Client', { email, firstname, lastname, phone, password, current_password: currentPassword }, { partial: true })

/** The caller's own account: every client reads it, and changes their names, address and password. */
export const ownAccountRoutes = (account: OwnAccountService): Routes => [
  singletonRoute(ownAccountResource, { path: 'me', operationId: 'getCurrentClient' }, account.get),
  action(
    ownAccountResource,
    {
      method: 'PUT',
      path: 'me',
      operationId: 'changeCurrentClient',
      body,
      versioned: true,
      answers: { 200: ok },
      allowsExpiredPassword: true,
    },
    ({ caller, body, expected }) => account.change(caller, body, expected),
  ),
]
