import { type Employee, type EmployeeRole, employees, type Id } from '@caseway/kit/caller'
import type { SessionService } from '../sessions/session.service.js'
import { effectiveRights, numberOfRole } from './right.js'
import type { RightsService } from './rights.service.js'
import type { UserRoleRepository } from './user-role.repository.js'
import type { NewUserRole, UserRoleChanges } from './user-role.resource.js'

const trainee = numberOfRole('trainee')

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

export const userRoleService = (roles: UserRoleRepository, rights: RightsService, sessions: SessionService) => ({
  list: roles.list,
  get: roles.get,

  /** The role that every office has for a base role. */
  builtIn: async (customerId: Id, role: EmployeeRole): Promise<Id> => (await roles.builtIn(customerId, numberOfRole(role))).id,

  /** The four that a new office begins with. */
  async createBuiltIn(customerId: Id): Promise<void> {
    for (const role of employees) await roles.create(customerId, { name: capitalized(role), baseRole: numberOfRole(role), builtIn: true })
  },

  async create(caller: Employee, { name, baseRole = trainee }: NewUserRole): Promise<Id> {
    await rights.require(caller, 'roles.manage')
    await rights.requireToGive(caller, new Set(), effectiveRights(baseRole, []))
    const { id } = await roles.create(caller.customerId, { name, baseRole })
    return id
  },

  /** Another base role is on new tokens only, so its people have to sign in again. */
  async change(caller: Employee, id: Id, changes: UserRoleChanges, expected?: number): Promise<void> {
    await rights.require(caller, 'roles.manage')
    await roles.change(caller, id, changes, expected, async (before, userIds) => {
      const { baseRole = before.baseRole } = changes
      if (baseRole === before.baseRole) return
      await rights.requireToGive(caller, effectiveRights(before.baseRole, []), effectiveRights(baseRole, []))
      await rights.requireAdministrator(caller.customerId)
      for (const id of userIds) await sessions.endAll({ kind: 'employee', id })
    })
  },

  async remove(caller: Employee, id: Id, expected?: number): Promise<void> {
    await rights.require(caller, 'roles.manage')
    await roles.remove(caller, id, expected)
  },
})

export type UserRoleService = ReturnType<typeof userRoleService>
