import { type Employee, type EmployeeRole, type Id, subjectOf } from '@caseway/kit/caller'
import type { AccountService } from '../accounts/account.service.js'
import { noCurrentPassword, wrongCurrentPassword } from '../errors.js'
import { type LoginFailures, presentPassword } from '../limits/login-failures.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import type { Right } from '../roles/right.js'
import type { RightsService } from '../roles/rights.service.js'
import type { UserRoleService } from '../roles/user-role.service.js'
import type { SessionService } from '../sessions/session.service.js'
import type { UserRepository } from './user.repository.js'
import type { NewUser, UserChanges, UserRow } from './user.resource.js'

/** What somebody may change of himself. */
export interface OwnChanges {
  readonly firstname?: string
  readonly lastname?: string
  readonly phone?: string | null
  readonly password?: string
  readonly currentPassword?: string
}

export interface NewEmployee {
  readonly email: string
  readonly firstname: string
  readonly lastname: string
  readonly password: string
  readonly role: EmployeeRole
}

interface Parts {
  readonly users: UserRepository
  readonly accounts: AccountService
  readonly roles: Pick<UserRoleService, 'builtIn'>
  readonly rights: RightsService
  readonly hasher: PasswordHasher
  readonly failures: LoginFailures
  readonly sessions: SessionService
}

const isOther = <T>(wanted: T | undefined, present: T) => wanted !== undefined && wanted !== present

export const userService = ({ users, accounts, roles, rights, hasher, failures, sessions }: Parts) => {
  /** Whoever can sign in as somebody has all of his rights, and so has whoever says how he signs in. */
  const requireChangeable = async (caller: Employee, before: UserRow, { userRoleId, password, email, active }: UserChanges) => {
    const signsIn = password !== undefined || isOther(email, before.email) || (active === true && !before.active)
    if (!signsIn && !isOther(userRoleId, before.userRoleId)) return
    const has = signsIn ? new Set<Right>() : await rights.of(caller.customerId, before.id)
    await rights.requireToGiveRole(caller, userRoleId ?? before.userRoleId, has, before.id)
  }

  const hashed = async ({ password, ...rest }: UserChanges) => ({
    ...rest,
    ...(password !== undefined && { passwordHash: await hasher.hash(password) }),
  })

  /** What was true of somebody when he signed in and is no more ends his sessions; a new password, all but the one that set it. */
  const endSessions = async (caller: Employee, before: UserRow, { active, password, userRoleId, email }: UserChanges) => {
    const subject = { kind: 'employee', id: before.id } as const
    if (active === false || isOther(userRoleId, before.userRoleId)) {
      await sessions.endAll(subject)
      await rights.requireAdministrator(caller.customerId)
    } else if (password !== undefined || isOther(email, before.email)) {
      await sessions.endAll(subject, caller.sessionId)
    }
  }

  /** As many tries as for signing in: whoever has somebody's token does not have his password yet. */
  const requireCurrent = async (caller: Employee, currentPassword: string) => {
    const attempt = { account: presentPassword(subjectOf(caller)), networks: ['signed in'] }
    await failures.check(attempt)
    const account = await accounts.byId(subjectOf(caller))
    if (!(await hasher.matches(account?.passwordHash ?? null, currentPassword))) {
      await failures.note(attempt)
      throw wrongCurrentPassword()
    }
    await failures.clear(attempt)
  }

  const change = async (caller: Employee, id: Id, changes: UserChanges, expected?: number): Promise<void> => {
    await rights.require(caller, 'users.manage')
    const before = await users.get(caller, id)
    await requireChangeable(caller, before, changes)
    await users.change(caller, id, await hashed(changes), expected, (locked) => endSessions(caller, locked, changes))
  }

  return {
    list: users.list,
    get: users.get,
    change,

    async create(caller: Employee, { password, userRoleId, ...input }: NewUser): Promise<Id> {
      await rights.require(caller, 'users.manage')
      const roleId = userRoleId ?? (await roles.builtIn(caller.customerId, 'trainee'))
      await rights.requireToGiveRole(caller, roleId, new Set())
      return users.create(caller.customerId, { ...(await hashed({ ...input, password })), ...input, userRoleId: roleId })
    },

    /** For whoever runs the installation: nobody is asked whether he may. */
    async employ(customerId: Id, { role, password, ...person }: NewEmployee): Promise<Id> {
      const passwordHash = await hasher.hash(password)
      return users.create(customerId, { ...person, passwordHash, userRoleId: await roles.builtIn(customerId, role) })
    },

    /** He stays in what he has done, and cannot come in any more. */
    remove: (caller: Employee, id: Id, expected?: number): Promise<void> => change(caller, id, { active: false }, expected),

    /** A new password needs the present one. */
    async changeSelf(caller: Employee, { currentPassword, ...changes }: OwnChanges, expected?: number): Promise<void> {
      if (changes.password !== undefined) {
        if (currentPassword === undefined) throw noCurrentPassword()
        await requireCurrent(caller, currentPassword)
      }
      await users.change(caller, caller.userId, await hashed(changes), expected, (before) => endSessions(caller, before, changes))
    },
  }
}

export type UserService = ReturnType<typeof userService>
