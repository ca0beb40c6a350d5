import type { OwnAccountRepository } from './own-account.repository.js'

/** A client's own account. */
export const ownAccountService = (account: OwnAccountRepository) => ({ get: account.get, change: account.change })

export type OwnAccountService = ReturnType<typeof ownAccountService>
