import type { PasswordHasher } from '../passwords/password-hasher.js'
import type { SessionService } from '../sessions/session.service.js'
import type { Person } from './account.js'
import type { AccountRepository } from './account.repository.js'

/** The accounts of employees and of clients, as far as signing in needs them. */
export const accountService = (
  { setPassword, ...accounts }: AccountRepository,
  hasher: PasswordHasher,
  sessions: Pick<SessionService, 'endAll'>,
) => {
  /** As `setPassword`, with a hash. Joins the running transaction. */
  const replacePassword = (person: Person, passwordHash: string, expired = false): Promise<void> =>
    setPassword(person, { passwordHash, passwordExpired: expired }, () => sessions.endAll(person))

  return {
    ...accounts,
    replacePassword,

    /**
     * Sets a password for somebody who has lost theirs, and ends all sessions of the person.
     * @param expired whether the person has to set another one before anything else
     */
    setPassword: async (person: Person, password: string, { expired = false } = {}): Promise<void> =>
      replacePassword(person, await hasher.hash(password), expired),
  }
}

export type AccountService = ReturnType<typeof accountService>
