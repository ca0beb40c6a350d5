import type { AccountService } from '../accounts/account.service.js'
import type { ApplicationService } from '../applications/application.service.js'
import type { ClientService } from '../clients/client.service.js'
import type { CustomerService } from '../customers/customer.service.js'
import type { KeyRing } from '../keys/key-ring.service.js'
import type { UserService } from '../users/user.service.js'

interface Parts {
  readonly customers: CustomerService
  readonly users: UserService
  readonly clients: ClientService
  readonly accounts: AccountService
  readonly applications: ApplicationService
  readonly ring: KeyRing
}

/** What whoever runs the installation can do, and nobody over HTTP. */
export const administration = ({ customers, users, clients, accounts, applications, ring }: Parts) => ({
  createOffice: customers.found,
  createUser: users.employ,
  createClient: clients.register,
  linkClient: clients.link,

  hasApplication: applications.exists,
  createApplication: applications.create,
  renewSecret: applications.renewSecret,

  /** Whoever signs in with this name, or null. */
  accountOf: accounts.byLogin,

  /** Ends every session of the person. */
  setPassword: accounts.setPassword,

  /**
   * A new key at once, when the present one may have been told.
   * @returns its id
   */
  async rotateKeys(): Promise<string> {
    await ring.rotate()
    return ring.current().kid
  },
})

export type Administration = ReturnType<typeof administration>
