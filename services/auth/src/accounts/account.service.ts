import type { PasswordHasher } from '../passwords/password-hasher.js'
import type { SessionService } from '../sessions/session.service.js'
import type { Person } from './account.js'
import type { AccountRepository } from './account.repository.js'

/** The accounts of employees and of clients, as far as signing in goes. */
export const accountService = (
  { setPassword, ...accounts }: AccountRepository,
  hasher: PasswordHasher,
  sessions: Pick<SessionService, 'endAll'>,
) => {
  /** As `setPassword`, of what is stored. Joins the transaction that is running. */
  const replacePassword = (person: Person, passwordHash: string, expired = false): Promise<void> =>
    setPassword(person, { passwordHash, passwordExpired: expired }, () => sessions.endAll(person))

  return {
    ...accounts,
    replacePassword,

    /**
     * A new password in place of one that was lost. Every session of the person ends with the old one.
     * @param expired whether it is good for nothing but setting another one
     */
    setPassword: async (person: Person, password: string, { expired = false } = {}): Promise<void> =>
      replacePassword(person, await hasher.hash(password), expired),
  }
}

export type AccountService = ReturnType<typeof accountService>
