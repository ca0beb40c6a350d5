import { action, ok, type Routes, singletonRoute, wrappedBody } from '@caseway/kit/http'
import { customerResource } from './customer.resource.js'
import type { CustomerService } from './customer.service.js'

/** The caller's own office: every employee reads it, and administrators change it. */
export const customerRoutes = (customers: CustomerService): Routes => [
  singletonRoute(customerResource, { path: 'me', operationId: 'getCurrentCustomer' }, customers.own),
  action(
    customerResource,
    {
      method: 'PUT',
      path: 'me',
      operationId: 'changeCurrentCustomer',
      body: wrappedBody('Customer', customerResource.update, { partial: true }),
      versioned: true,
      answers: { 200: ok },
      roles: ['administrator'],
    },
    ({ caller, body, expected }) => customers.changeOwn(caller, body, expected),
  ),
]
