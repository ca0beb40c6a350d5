import type { Audience, Id } from '@caseway/kit/caller'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import type { AccountRepository } from './account.repository.js'

/** The accounts of employees and of clients, as far as signing in goes. */
export const accountService = ({ setPassword, ...accounts }: AccountRepository, hasher: PasswordHasher) => ({
  ...accounts,

  /** A new password in place of one that was lost. */
  setPassword: async (audience: Audience, id: Id, password: string) => setPassword(audience, id, await hasher.hash(password)),
})

export type AccountService = ReturnType<typeof accountService>
