import type { Employee, EmployeeRole, Id } from '@caseway/kit/caller'
import { nonexistent, notFound } from '@caseway/kit/errors'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import { emailTaken } from '../accounts/account-errors.js'
import type { OwnPasswordChange, OwnPasswordService } from '../passwords/own-password.service.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import { noStanding } from '../roles/right.js'
import type { UserRoleService } from '../roles/user-role.service.js'
import type { SecondFactorService } from '../second-factors/second-factor.service.js'
import type { UserRepository } from './user.repository.js'
import type { NewUser, UserChanges } from './user.resource.js'
import { isOther, type UserChangeDependencies, userChanges } from './user-change.service.js'
import { ownSecondFactor } from './user-errors.js'

/** What employees may change of their own record. */
export interface OwnChanges extends OwnPasswordChange {
  /** Takes effect when the link that is mailed to it is opened. */
  readonly email?: string
  readonly firstname?: string
  readonly lastname?: string
  readonly phone?: string | null
}

export interface NewEmployee {
  readonly email: string
  readonly firstname: string
  readonly lastname: string
  readonly password: string
  /** Whether another password has to be set before anything else. */
  readonly passwordExpired?: boolean
  readonly role: EmployeeRole
}

export interface UserDependencies extends UserChangeDependencies {
  readonly roles: Pick<UserRoleService, 'builtIn' | 'find'>
  readonly hasher: PasswordHasher
  readonly ownPasswords: OwnPasswordService
  readonly secondFactors: Pick<SecondFactorService, 'reset'>
  readonly mails: Pick<AccountMailService, 'invite' | 'confirmAddress' | 'addressChanged'>
}

export const userService = (users: UserRepository, dependencies: UserDependencies) => {
  const { roles, rights, hasher, ownPasswords, secondFactors, audit, mails } = dependencies
  const { requireChangeable, settle } = userChanges(dependencies)

  const hashed = async ({ password, ...rest }: UserChanges) => ({
    ...rest,
    ...(password !== undefined && { passwordHash: await hasher.hash(password), passwordExpired: false }),
  })

  const change = async (caller: Employee, id: Id, changes: UserChanges, expected?: number): Promise<void> => {
    // Refuses early, before a password is hashed in vain. The locked row is checked again.
    await requireChangeable(caller, await users.get(caller, id), changes)
    await users.change(caller, id, await hashed(changes), expected, {
      authorize: (before) => requireChangeable(caller, before, changes),
      settle: (before) => settle(caller, before, changes),
    })
  }

  return {
    list: users.list,
    get: users.get,
    change,

    async fieldErrors(caller: Employee, { userRoleId, email }: Partial<NewUser>, id?: Id) {
      // For an id of another office, the address counts as taken, so that the answer does not reveal whose it is.
      const before = id === undefined ? null : await users.find(caller, id)
      const holder = email === undefined ? undefined : await users.idOf(email)
      const missing = userRoleId === undefined || (await roles.find(caller, userRoleId)) ? [] : ['user_role_id']
      return { ...nonexistent(missing), ...(holder !== undefined && holder !== before?.id && emailTaken().fields) }
    },

    /** Creates an employee. Without a password they are invited to set one; an inactive person only once they are activated. */
    async create(caller: Employee, { password, userRoleId, ...input }: NewUser): Promise<Id> {
      const roleId = userRoleId ?? (await roles.builtIn(caller.customerId, 'trainee'))
      const authorize = async () => rights.requireToMake(caller, noStanding, await rights.standing(caller, roleId))
      await authorize()
      const user = { ...(await hashed({ ...input, password })), ...input, userRoleId: roleId }
      const details = { user_role_id: String(roleId) }
      return users.create(caller.customerId, user, authorize, async (id) => {
        const subject = { kind: 'employee', id } as const
        await audit.record({ kind: 'user.created', subject, details })
        if (password === undefined && input.active !== false) await mails.invite(subject, caller.customerId)
      })
    },

    /** For the operator of the installation: creates an employee without checking any right. */
    async employ(customerId: Id, { role, password, ...person }: NewEmployee): Promise<Id> {
      const passwordHash = await hasher.hash(password)
      return users.create(customerId, { ...person, passwordHash, userRoleId: await roles.builtIn(customerId, role) })
    },

    /**
     * Removes a colleague's second factor, so that the password alone signs in. It requires the same rights as setting their password.
     * @throws AppError `not-found` when they have none, `conflict` when it is the caller's own, `forbidden`
     */
    resetSecondFactor: (caller: Employee, id: Id): Promise<void> =>
      users.locked(caller, id, async ({ userRoleId }) => {
        if (id === caller.userId) throw ownSecondFactor()
        const standing = await rights.standing(caller, userRoleId, id)
        await rights.requireToMake(caller, { ...standing, rights: new Set() }, standing)
        const subject = { kind: 'employee', id } as const
        if (!(await secondFactors.reset(subject))) throw notFound()
        await audit.record({ kind: 'second_factor.reset', subject })
      }),

    /** Deactivates a person: their records remain, but they can no longer sign in. @throws AppError as `change` */
    remove: (caller: Employee, id: Id, expected?: number): Promise<void> => change(caller, id, { active: false }, expected),

    /** Sets the address that an employee has confirmed. @throws AppError `invalid` when somebody else has it */
    setAddress: users.setAddress,

    /**
     * Changes the caller's own record. A new password or address requires the current password; while it has expired, nothing else can be changed.
     * @throws AppError as `ownPasswords`; `stale`
     */
    async changeSelf(caller: Employee, { email, password, currentPassword, ...changes }: OwnChanges, expected?: number): Promise<void> {
      const { stored, stillCurrent } = await ownPasswords.stored(caller, { password, currentPassword })
      const wanted = email !== undefined && isOther(email, (await users.get(caller, caller.userId)).email) ? email : undefined
      const proven = wanted !== undefined && password === undefined ? await ownPasswords.prove(caller, currentPassword) : stillCurrent
      await users.change(caller, caller.userId, { ...changes, ...stored }, expected, {
        ...(proven && { authorize: proven }),
        async settle(before) {
          await settle(caller, before, password === undefined ? {} : { password })
          if (wanted !== undefined) await mails.confirmAddress({ kind: 'employee', id: caller.userId }, wanted)
        },
      })
    },
  }
}

export type UserService = ReturnType<typeof userService>
