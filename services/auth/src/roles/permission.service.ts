import type { Employee, Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import { asPermissions, effectiveRights, type Permission } from './right.js'
import type { RightsRepository } from './rights.repository.js'
import type { RightsService } from './rights.service.js'
import type { UserRoleRepository } from './user-role.repository.js'

/** What a role and what a single person is given or denied. */
export const permissionService = (permissions: RightsRepository, rights: RightsService, roles: UserRoleRepository) => {
  const roleOf = async ({ customerId }: Employee, userId: Id): Promise<Id> => {
    const userRoleId = await permissions.roleOf(customerId, userId)
    if (userRoleId === null) throw notFound()
    return userRoleId
  }
  return {
    /** Every right, and whether the role has it. */
    async ofRole(caller: Employee, id: Id): Promise<Permission[]> {
      const { baseRole } = await roles.get(caller, id)
      return asPermissions(effectiveRights(baseRole, await permissions.ofRole(caller.customerId, id)))
    },

    /** Only where the person differs from his role. */
    async ofUser(caller: Employee, id: Id): Promise<Permission[]> {
      await roleOf(caller, id)
      return permissions.ofUser(caller.customerId, id)
    },

    /** Replaces what differs from the base role; a right that is not listed is as the base role has it. */
    async changeRole(caller: Employee, id: Id, wanted: readonly Permission[]): Promise<void> {
      await rights.require(caller, 'roles.manage')
      const { baseRole } = await roles.get(caller, id)
      const before = effectiveRights(baseRole, await permissions.ofRole(caller.customerId, id))
      await rights.requireToGive(caller, before, effectiveRights(baseRole, wanted))
      await permissions.replaceOfRole(caller.customerId, id, wanted)
    },

    /** Replaces what differs from the person's role. */
    async changeUser(caller: Employee, id: Id, wanted: readonly Permission[]): Promise<void> {
      await rights.require(caller, 'roles.manage')
      const userRoleId = await roleOf(caller, id)
      const { baseRole } = await roles.get(caller, userRoleId)
      const ofRole = await permissions.ofRole(caller.customerId, userRoleId)
      const before = effectiveRights(baseRole, ofRole, await permissions.ofUser(caller.customerId, id))
      await rights.requireToGive(caller, before, effectiveRights(baseRole, ofRole, wanted))
      await permissions.replaceOfUser(caller.customerId, id, wanted)
    },
  }
}

export type PermissionService = ReturnType<typeof permissionService>
