import type { Employee, EmployeeRole, Id } from '@caseway/kit/caller'
import { nonexistent, notFound } from '@caseway/kit/errors'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import type { AccountService } from '../accounts/account.service.js'
import { emailTaken } from '../accounts/account-errors.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { OwnPasswordChange, OwnPasswordService } from '../passwords/own-password.service.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import { administers, noStanding } from '../roles/right.js'
import type { RightsService } from '../roles/rights.service.js'
import type { UserRoleService } from '../roles/user-role.service.js'
import type { SecondFactorService } from '../second-factors/second-factor.service.js'
import type { SessionService } from '../sessions/session.service.js'
import type { UserRepository } from './user.repository.js'
import type { NewUser, UserChanges, UserRow } from './user.resource.js'
import { changedAtMe, ownSecondFactor } from './user-errors.js'

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

export interface UserDependencies {
  readonly roles: Pick<UserRoleService, 'builtIn' | 'find'>
  readonly rights: RightsService
  readonly hasher: PasswordHasher
  readonly ownPasswords: OwnPasswordService
  readonly secondFactors: Pick<SecondFactorService, 'reset'>
  readonly sessions: SessionService
  readonly accounts: Pick<AccountService, 'lock'>
  readonly audit: Audit
  readonly mails: Pick<AccountMailService, 'invite' | 'confirmAddress' | 'addressChanged'>
}

const isOther = <T>(wanted: T | undefined, present: T) => wanted !== undefined && wanted !== present

/** @throws AppError `invalid` when callers would change their own password or address by id, where the current password is not asked for */
const requireNotOwn = (caller: Employee, before: UserRow, { password, email }: UserChanges) => {
  if (before.id !== caller.userId) return
  const fields = [...(password === undefined ? [] : ['password']), ...(isOther(email, before.email) ? ['email'] : [])]
  if (fields.length > 0) throw changedAtMe(...fields)
}

export const userService = (users: UserRepository, dependencies: UserDependencies) => {
  const { roles, rights, hasher, ownPasswords, secondFactors, sessions, accounts, audit, mails } = dependencies
  /**
   * Checks that the caller may make a change: nobody changes an account with a base role above their own. Whoever decides how a person signs in could act
   * as them, and therefore needs all of their rights.
   * @throws AppError `forbidden`, `invalid`
   */
  const requireChangeable = async (caller: Employee, before: UserRow, changes: UserChanges) => {
    requireNotOwn(caller, before, changes)
    const { userRoleId, password, email, active } = changes
    const signsIn = password !== undefined || isOther(email, before.email) || (active === true && !before.active)
    if (!signsIn && !isOther(userRoleId, before.userRoleId) && !isOther(active, before.active)) return
    const standing = await rights.standing(caller, before.userRoleId, before.id)
    const after = isOther(userRoleId, before.userRoleId) ? await rights.standing(caller, userRoleId as Id, before.id) : standing
    await rights.requireToMake(caller, signsIn ? { ...standing, rights: new Set() } : standing, after)
  }

  const hashed = async ({ password, ...rest }: UserChanges) => ({
    ...rest,
    ...(password !== undefined && { passwordHash: await hasher.hash(password), passwordExpired: false }),
  })

  /**
   * Ends the sessions that a change invalidates: all, if the person is deactivated or gets another role; all but the caller's own, after a new password or
   * address.
   */
  const endSessions = async (caller: Employee, before: UserRow, { active, password, userRoleId, email }: UserChanges) => {
    const subject = { kind: 'employee', id: before.id } as const
    if (active === false || isOther(userRoleId, before.userRoleId)) {
      if (administers(await rights.standing(caller, before.userRoleId, before.id))) await rights.requireAdministrator(caller.customerId)
      await sessions.endAll(subject)
    } else if (password !== undefined || isOther(email, before.email)) {
      await sessions.endAll(subject, caller.sessionId)
    }
  }

  const record = async (before: UserRow, { active, password, userRoleId, email }: UserChanges) => {
    const subject = { kind: 'employee', id: before.id }
    const changed = { email: isOther(email, before.email), active: isOther(active, before.active) }
    const fields = Object.entries({ ...changed, user_role_id: isOther(userRoleId, before.userRoleId) }).flatMap(([name, is]) =>
      is ? [name] : [],
    )
    const role = fields.includes('user_role_id') ? { user_role_id: String(userRoleId) } : {}
    const state = changed.active ? { state: active ? 'active' : 'inactive' } : {}
    if (fields.length > 0) await audit.record({ kind: 'user.changed', subject, details: { fields: fields.join(' '), ...role, ...state } })
    if (password !== undefined) await audit.record({ kind: 'password.changed', subject })
  }

  const settle = async (caller: Employee, before: UserRow, changes: UserChanges) => {
    await endSessions(caller, before, changes)
    await record(before, changes)
    await sendMails(caller, before, changes)
  }

  /** Sends the mail for a change. A person without a password never used the previous address, and is invited once more. */
  const sendMails = async ({ customerId }: Employee, before: UserRow, { email, active }: UserChanges) => {
    const person = { kind: 'employee', id: before.id } as const
    const [readdressed, activated] = [isOther(email, before.email), active === true && !before.active]
    if (!readdressed && !activated) return
    if ((await accounts.lock(person))?.passwordHash === null) await mails.invite(person, customerId)
    else if (readdressed) await mails.addressChanged(person, before.email)
  }

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
