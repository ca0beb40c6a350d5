import type { Employee, Id } from '@caseway/kit/caller'
import { forbidden } from '@caseway/kit/errors'
import type { Account } from '../accounts/account.js'
import { lastAdministrator, noSuchRecord, rightLacking } from '../errors.js'
import { asPermissions, effectiveRights, mayGive, numberOfRole, type Permission, type Right } from './right.js'
import type { RightsRepository } from './rights.repository.js'

export const rightsService = (rights: RightsRepository) => {
  const of = async (customerId: Id, userId: Id): Promise<Set<Right>> => {
    const grounds = await rights.grounds(customerId, userId)
    return grounds ? effectiveRights(grounds.baseRole, grounds.ofRole, grounds.ofUser) : new Set()
  }
  const ofCaller = ({ customerId, userId }: Employee) => of(customerId, userId)

  return {
    of,

    /** What a frontend is told at the sign-in: all that the role has or lacks, and where the person differs from it. */
    async ofAccount({ role, userRole, userId }: Account): Promise<{ ofRole: Permission[]; ofUser: Permission[] }> {
      if (!userRole || role === 'client' || role === 'technical') return { ofRole: [], ofUser: [] }
      const { customerId, id } = userRole
      const effective = effectiveRights(numberOfRole(role), await rights.ofRole(customerId, id))
      return { ofRole: asPermissions(effective), ofUser: await rights.ofUser(customerId, userId) }
    },

    /** @throws AppError `forbidden` */
    async require(caller: Employee, right: Right): Promise<void> {
      if (!(await ofCaller(caller)).has(right)) throw forbidden()
    },

    /** @throws AppError `forbidden` when `after` has a right that `before` had not, and the caller has not either */
    async requireToGive(caller: Employee, before: ReadonlySet<Right>, after: ReadonlySet<Right>): Promise<void> {
      if (!mayGive(await ofCaller(caller), before, after)) throw rightLacking()
    },

    /**
     * Lets the caller give the role to somebody who had the rights `before`; `userId` says whose own permissions come on top.
     * @throws AppError `invalid` when the office has no such role, `forbidden` when it has a right that he lacks
     */
    async requireToGiveRole(caller: Employee, userRoleId: Id, before: ReadonlySet<Right>, userId?: Id): Promise<void> {
      const { customerId } = caller
      const baseRole = await rights.baseRole(customerId, userRoleId)
      if (baseRole === null) throw noSuchRecord('user_role_id')
      const ofUser = userId === undefined ? [] : await rights.ofUser(customerId, userId)
      const after = effectiveRights(baseRole, await rights.ofRole(customerId, userRoleId), ofUser)
      if (!mayGive(await ofCaller(caller), before, after)) throw rightLacking()
    },

    /** @throws AppError `conflict` when what was written left the office without an administrator */
    async requireAdministrator(customerId: Id): Promise<void> {
      if ((await rights.administrators(customerId)) === 0) throw lastAdministrator()
    },
  }
}

export type RightsService = ReturnType<typeof rightsService>
