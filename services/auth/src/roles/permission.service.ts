import type { Employee, Id } from '@caseway/kit/caller'
import type { Audit } from '../audit/audit-event.service.js'
import { asPermissions, effectiveRights, managesLess, type Permission, type Standing } from './right.js'
import type { RightsRepository } from './rights.repository.js'
import type { RightsService } from './rights.service.js'
import type { UserRoleRepository } from './user-role.repository.js'

const keys = (permissions: readonly Permission[], allowed: boolean) =>
  permissions.flatMap((permission) => (permission.allowed === allowed ? [permission.key] : [])).join(' ')

/** The permissions of a role or a person, with the version of that role or person. */
export interface Permissions {
  readonly version: number
  readonly items: readonly Permission[]
}

/** The permissions of roles, and those of single people. */
export const permissionService = (permissions: RightsRepository, rights: RightsService, roles: UserRoleRepository, audit: Audit) => {
  const record = (subject: { kind: string; id: Id }, wanted: readonly Permission[]) =>
    audit.record({ kind: 'right.changed', subject, details: { allowed: keys(wanted, true), denied: keys(wanted, false) } })

  const settled =
    ({ customerId }: Employee, before: Standing, after: Standing) =>
    async () => {
      if (managesLess(before, after)) await rights.requireAdministrator(customerId)
    }

  return {
    /** Every right, with whether the role grants it. */
    async ofRole(caller: Employee, id: Id): Promise<Permissions> {
      const { baseRole, version } = await roles.get(caller, id)
      return { version, items: asPermissions(effectiveRights(baseRole, await permissions.ofRole(caller.customerId, id))) }
    },

    /** Only the rights in which the person differs from their role. */
    async ofUser({ customerId }: Employee, id: Id): Promise<Permissions> {
      const version = await permissions.versionOf(customerId, id)
      return { version, items: await permissions.ofUser(customerId, id) }
    },

    /**
     * Replaces the differences from the base role; an unlisted right is as in the base role.
     * @throws AppError `not-found`, `stale`, `forbidden`; `conflict` when the office would be left without an administrator
     */
    async changeRole(caller: Employee, id: Id, wanted: readonly Permission[], expected?: number): Promise<void> {
      await permissions.replaceOfRole({ customerId: caller.customerId, id, expected }, wanted, async (baseRole) => {
        const before = { baseRole, rights: effectiveRights(baseRole, await permissions.ofRole(caller.customerId, id)) }
        const after = { baseRole, rights: effectiveRights(baseRole, wanted) }
        await rights.requireToMake(caller, before, after)
        await record({ kind: 'user_role', id }, wanted)
        return settled(caller, before, after)
      })
    },

    /** Replaces the differences from the person's role. @throws AppError as `changeRole` */
    async changeUser(caller: Employee, id: Id, wanted: readonly Permission[], expected?: number): Promise<void> {
      await permissions.replaceOfUser({ customerId: caller.customerId, id, expected }, wanted, async (userRoleId) => {
        const { baseRole, rights: ofRole } = await rights.standing(caller, userRoleId)
        const before = await rights.standing(caller, userRoleId, id)
        const after = { baseRole, rights: effectiveRights(baseRole, asPermissions(ofRole), wanted) }
        await rights.requireToMake(caller, before, after)
        await record({ kind: 'employee', id }, wanted)
        return settled(caller, before, after)
      })
    },
  }
}

export type PermissionService = ReturnType<typeof permissionService>
