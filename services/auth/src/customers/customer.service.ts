import type { Id } from '@caseway/kit/caller'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import { baseRoles, numberOfRole, roleOfNumber } from '../roles/right.js'
import type { UserRoleRepository } from '../roles/user-role.repository.js'
import type { UserRepository } from '../users/user.repository.js'
import type { CustomerRepository, NewCustomer } from './customer.repository.js'

export interface FirstAdministrator {
  readonly email: string
  readonly firstname: string
  readonly lastname: string
  readonly password: string
}

export const customerService = (
  customers: CustomerRepository,
  roles: UserRoleRepository,
  users: UserRepository,
  hasher: PasswordHasher,
  fallbackZone: string,
) => ({
  timeZoneOf: async (id: Id): Promise<string> => (await customers.find(id))?.timeZone ?? fallbackZone,

  /** A new office, with the four roles that every office has and somebody who can let in the others. */
  async found(customer: NewCustomer, { password, ...person }: FirstAdministrator): Promise<{ customerId: Id; userId: Id }> {
    const passwordHash = await hasher.hash(password)
    return customers.create(customer, async (customerId) => {
      const created = new Map<number, Id>()
      for (const baseRole of baseRoles) {
        const { id } = await roles.create(customerId, { name: capitalized(roleOfNumber(baseRole)), baseRole, builtIn: true })
        created.set(baseRole, id)
      }
      const userRoleId = created.get(numberOfRole('administrator')) as Id
      return { customerId, userId: await users.create(customerId, { ...person, passwordHash, userRoleId }) }
    })
  },
})

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

export type CustomerService = ReturnType<typeof customerService>
