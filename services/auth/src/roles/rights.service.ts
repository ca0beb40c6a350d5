import type { Employee, Id } from '@caseway/kit/caller'
import { noSuchRecord } from '@caseway/kit/errors'
import type { Account } from '../accounts/account.js'
import { asPermissions, effectiveRights, isRight, mayMake, numberOfRole, type Permission, type Right, type Standing } from './right.js'
import type { Grounds, RightsRepository } from './rights.repository.js'
import { lastAdministrator, rightLacking } from './role-errors.js'

const rightsBy = ({ baseRole, ofRole, ofUser }: Grounds): Set<Right> => effectiveRights(baseRole, ofRole, ofUser)

const standingOf = (grounds: Grounds): Standing => ({ baseRole: grounds.baseRole, rights: rightsBy(grounds) })

export const rightsService = (rights: RightsRepository) => {
  const of = async (customerId: Id, userId: Id): Promise<Set<Right>> => {
    const grounds = await rights.grounds(customerId, userId)
    return grounds ? rightsBy(grounds) : new Set()
  }

  const grounds = async ({ customerId }: Employee, userRoleId: Id, userId?: Id): Promise<Grounds> => {
    const locked = await rights.lockedGrounds(customerId, userRoleId, userId)
    if (!locked) throw noSuchRecord('user_role_id')
    return locked
  }

  /**
   * The standing of everybody who has a role, with the permissions of the person `userId` if given. The role is locked until the transaction ends.
   * @throws AppError `invalid` when the office has no such role
   */
  const standing = async (caller: Employee, userRoleId: Id, userId?: Id): Promise<Standing> =>
    standingOf(await grounds(caller, userRoleId, userId))

  return {
    of,

    /** The permissions that a token response contains: all rights of the role, and where the person differs from it. */
    async ofAccount({ role, userRole, userId }: Account): Promise<{ ofRole: Permission[]; ofUser: Permission[] }> {
      if (!userRole || role === 'client' || role === 'technical') return { ofRole: [], ofUser: [] }
      const { customerId, id } = userRole
      const effective = effectiveRights(numberOfRole(role), await rights.ofRole(customerId, id))
      return { ofRole: asPermissions(effective), ofUser: await rights.ofUser(customerId, userId) }
    },

    /** Whether a person has a right, by role or by their own permissions. */
    has: async ({ customerId, userId }: Pick<Employee, 'customerId' | 'userId'>, right: string): Promise<boolean> =>
      isRight(right) && (await of(customerId, userId)).has(right),

    /** The ids of the active employees of an office who have a right. */
    async usersWith(customerId: Id, right: string): Promise<Id[]> {
      if (!isRight(right)) return []
      const people = await rights.groundsOfAll(customerId)
      return people.filter((grounds) => rightsBy(grounds).has(right)).map(({ userId }) => userId)
    },

    standing,

    /** As `standing`, if the role had another base role. */
    standingAs: async (caller: Employee, userRoleId: Id, baseRole: number): Promise<Standing> =>
      standingOf({ ...(await grounds(caller, userRoleId)), baseRole }),

    /**
     * To be called in the transaction that locks what is changed.
     * @throws AppError `forbidden` when `before` or `after` has a base role above the caller's, or `after` has a right that both `before` and the caller
     *   lack
     */
    async requireToMake({ customerId, userId }: Employee, before: Standing, after: Standing): Promise<void> {
      const own = await rights.grounds(customerId, userId)
      if (!own || !mayMake(standingOf(own), before, after)) throw rightLacking()
    },

    /** To be called after the writes of a transaction. @throws AppError `conflict` when they leave the office without an administrator */
    async requireAdministrator(customerId: Id): Promise<void> {
      if ((await rights.administrators(customerId)) === 0) throw lastAdministrator()
    },
  }
}

export type RightsService = ReturnType<typeof rightsService>
