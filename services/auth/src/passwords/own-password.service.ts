import { type Caller, type Client, type Employee, subjectKey, subjectOf } from '@caseway/kit/caller'
import { passwordExpired } from '@caseway/kit/errors'
import type { Person } from '../accounts/account.js'
import type { AccountService } from '../accounts/account.service.js'
import type { Audit } from '../audit/audit-event.service.js'
import { type LoginFailures, presentPassword } from '../limits/login-failures.js'
import { noCurrentPassword, samePassword, wrongCurrentPassword } from './password-errors.js'
import type { PasswordHasher } from './password-hasher.js'

/** A change of the caller's own record: a new password needs the present one. */
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
 * Asked in the transaction of what the password was given for, with the account locked from then on.
 * @throws AppError `invalid` when it is the present one no more
 */
export type StillCurrent = () => Promise<void>

/** The password that a caller sets for themselves. */
export const ownPasswordService = ({ accounts, hasher, failures, audit }: Parts) => {
  /**
   * As many tries as for signing in: a stolen token must not be enough to guess the password.
   * @throws AppError `invalid` when it is wrong, `limit` after too many wrong ones
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

    /** Whoever has a token and no password decides nothing about how the person signs in. @throws AppError as `requireCurrent` */
    async prove(caller: Employee | Client, currentPassword: string | undefined): Promise<StillCurrent> {
      if (currentPassword === undefined) throw noCurrentPassword()
      return requireCurrent(caller, currentPassword)
    },

    /**
     * What is stored in place of `password`; nothing when none is sent.
     * @throws AppError `PASSWORD_EXPIRED` when none is sent and the present one has expired, `invalid` when the present one is missing,
     * wrong or the same, `limit` after too many wrong ones
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
