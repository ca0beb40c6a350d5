import type { Employee, Id } from '@caseway/kit/caller'
import type { AccountMailService } from '../account-mails/account-mail.service.js'
import type { AccountService } from '../accounts/account.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import { administers } from '../roles/right.js'
import type { RightsService } from '../roles/rights.service.js'
import type { SessionService } from '../sessions/session.service.js'
import type { UserChanges, UserRow } from './user.resource.js'
import { changedAtMe } from './user-errors.js'

export interface UserChangeDependencies {
  readonly rights: RightsService
  readonly sessions: SessionService
  readonly accounts: Pick<AccountService, 'lock'>
  readonly audit: Audit
  readonly mails: Pick<AccountMailService, 'invite' | 'addressChanged'>
}

/** Whether a change sends a value, and it differs from the present one. */
export const isOther = <T>(wanted: T | undefined, present: T) => wanted !== undefined && wanted !== present

/** @throws AppError `invalid` when callers would change their own password or address by id, where the current password is not asked for */
const requireNotOwn = (caller: Employee, before: UserRow, { password, email }: UserChanges) => {
  if (before.id !== caller.userId) return
  const fields = [...(password === undefined ? [] : ['password']), ...(isOther(email, before.email) ? ['email'] : [])]
  if (fields.length > 0) throw changedAtMe(...fields)
}

/** The rights that a change of an employee requires, and what follows from it: ended sessions, audit events and mails. */
export const userChanges = ({ rights, sessions, accounts, audit, mails }: UserChangeDependencies) => {
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

  /** Sends the mail for a change. A person without a password never used the previous address, and is invited once more. */
  const sendMails = async ({ customerId }: Employee, before: UserRow, { email, active }: UserChanges) => {
    const person = { kind: 'employee', id: before.id } as const
    const [readdressed, activated] = [isOther(email, before.email), active === true && !before.active]
    if (!readdressed && !activated) return
    if ((await accounts.lock(person))?.passwordHash === null) await mails.invite(person, customerId)
    else if (readdressed) await mails.addressChanged(person, before.email)
  }

  /** Runs in the transaction of a change. @param before the employee as they were, locked */
  const settle = async (caller: Employee, before: UserRow, changes: UserChanges) => {
    await endSessions(caller, before, changes)
    await record(before, changes)
    await sendMails(caller, before, changes)
  }

  return { requireChangeable, settle }
}
