import type { Id } from '@caseway/kit/caller'
import type { UserRoleService } from '../roles/user-role.service.js'
import type { NewEmployee, UserService } from '../users/user.service.js'
import type { CustomerRepository, NewCustomer } from './customer.repository.js'

export const customerService = (customers: CustomerRepository, roles: UserRoleService, users: UserService, fallbackZone: string) => ({
  exists: async (id: Id): Promise<boolean> => (await customers.find(id)) !== null,

  timeZoneOf: async (id: Id): Promise<string> => (await customers.find(id))?.timeZone ?? fallbackZone,

  some: customers.some,

  /** A new office, with the four roles that every office has and a first administrator. */
  found: (customer: NewCustomer, administrator: Omit<NewEmployee, 'role'>): Promise<{ customerId: Id; userId: Id }> =>
    customers.create(customer, async (customerId) => {
      await roles.createBuiltIn(customerId)
      return { customerId, userId: await users.employ(customerId, { ...administrator, role: 'administrator' }) }
    }),
})

export type CustomerService = ReturnType<typeof customerService>
