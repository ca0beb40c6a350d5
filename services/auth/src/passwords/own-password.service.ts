import { type Caller, type Client, type Employee, subjectKey, subjectOf } from '@caseway/kit/caller'
import { passwordExpired } from '@caseway/kit/errors'
import type { Person } from '../accounts/account.js'
import type { AccountService } from '../accounts/account.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import { type LoginFailures, presentPassword } from '../limits/login-failures.js'
import { noCurrentPassword, samePassword, wrongCurrentPassword } from './password-errors.js'
import type { PasswordHasher } from './password-hasher.js'

/** The part of a change of the caller's own record that concerns the password; a new one requires the current one. */
export interface OwnPasswordChange {
  readonly password?: string | undefined
  readonly currentPassword?: string | undefined
}

interface Parts {
  readonly accounts: Pick<AccountService, 'byId' | 'lock'>
  readonly hasher: PasswordHasher
  readonly failures: LoginFailures
  readonly audit: Audit
}

/**
 * To be called in the transaction that the current password authorizes. It locks the account until that transaction ends.
 * @throws AppError `invalid` when the password has changed since it was checked
 */
export type StillCurrent = () => Promise<void>

/** Changes of the caller's own password. */
export const ownPasswordService = ({ accounts, hasher, failures, audit }: Parts) => {
  /**
   * Checks the current password, with the same limit of failures as a sign-in: a stolen token must not suffice to guess the password.
   * @throws AppError `invalid` when it is wrong, `limit` after too many wrong ones, `unavailable` when too many wait
   */
  const requireCurrent = async (caller: Caller, currentPassword: string): Promise<StillCurrent> => {
    const subject = subjectOf(caller)
    const attempt = { account: presentPassword(subject), networks: [subjectKey(subject)] }
    const account = await accounts.byId(subject)
    await hasher.inTurn({ of: subjectKey(subject) }, async () => {
      await failures.check(attempt)
      if (await hasher.matches(account?.passwordHash ?? null, currentPassword)) return
      await failures.note(attempt)
      await audit.record({ kind: 'password.refused', subject })
      throw wrongCurrentPassword()
    })
    await failures.clear(attempt)
    return async () => {
      if ((await accounts.lock(subject as Person))?.passwordHash !== account?.passwordHash) throw wrongCurrentPassword()
    }
  }

  return {
    requireCurrent,

    /**
     * Requires the current password for a change of how the person signs in, for which a token alone must not suffice.
     * @throws AppError `invalid` when it is missing; as `requireCurrent`
     */
    async prove(caller: Employee | Client, currentPassword: string | undefined): Promise<StillCurrent> {
      if (currentPassword === undefined) throw noCurrentPassword()
      return requireCurrent(caller, currentPassword)
    },

    /**
     * Checks a change of the password.
     * @returns the columns to store; none if no password is sent
     * @throws AppError `PASSWORD_EXPIRED` when none is sent and the current one has expired; `invalid` when the current one is missing, wrong or equal to
     *   the new one; `limit` after too many wrong ones
     */
    async stored(caller: Employee | Client, { password, currentPassword }: OwnPasswordChange) {
      if (password === undefined && caller.passwordExpired) throw passwordExpired()
      if (password === undefined) return { stored: {} }
      if (currentPassword === undefined) throw noCurrentPassword()
      if (password === currentPassword) throw samePassword()
      const stillCurrent = await requireCurrent(caller, currentPassword)
      return { stored: { passwordHash: await hasher.hash(password), passwordExpired: false }, stillCurrent }
    },
  }
}

export type OwnPasswordService = ReturnType<typeof ownPasswordService>
