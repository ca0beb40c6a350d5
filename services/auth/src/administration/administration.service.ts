import type { Id } from '@caseway/kit/caller'
import type { AccountService } from '../accounts/account.service.js'
import type { ApplicationService } from '../applications/application.service.js'
import type { Entry } from '../audit/audit-event.js'
import type { Audit } from '../audit/audit-event.service.js'
import type { ClientService } from '../clients/client.service.js'
import type { ErasureService } from '../clients/erasure.service.js'
import type { CustomerService } from '../customers/customer.service.js'
import type { KeyRing } from '../keys/key-ring.service.js'
import type { OfficeImportService } from '../office-imports/office-import.service.js'
import type { SecondFactorService } from '../second-factors/second-factor.service.js'
import type { UserService } from '../users/user.service.js'

interface Parts {
  readonly customers: CustomerService
  readonly imports: OfficeImportService
  readonly users: UserService
  readonly clients: ClientService
  readonly erasures: ErasureService
  readonly accounts: AccountService
  readonly secondFactors: Pick<SecondFactorService, 'reset' | 'reseal'>
  readonly applications: ApplicationService
  readonly ring: KeyRing
  readonly audit: Audit
  /** Runs `work` in one transaction. */
  readonly together: <T>(work: () => Promise<T>) => Promise<T>
}

/** What the operator of the installation can do, and no HTTP caller can. Each change and its entry in the audit trail are one transaction. */
export const administration = (parts: Parts) => {
  const { customers, imports, users, clients, erasures, accounts, secondFactors, applications, ring, audit, together } = parts
  const recorded = <T>(work: () => Promise<T>, entriesOf: (done: T) => Entry[]): Promise<T> =>
    together(async () => {
      const done = await work()
      for (const entry of entriesOf(done)) await audit.record(entry)
      return done
    })
  const userEntry = (customerId: Id, id: Id): Entry => ({ kind: 'user.created', customerId, subject: { kind: 'employee', id } })
  const application = (id: string) => ({ kind: 'application', id })

  return {
    createOffice: (...sent: Parameters<CustomerService['found']>) =>
      recorded(
        () => customers.found(...sent),
        ({ customerId, userId }) => [
          { kind: 'office.created', customerId, subject: { kind: 'customer', id: customerId } },
          userEntry(customerId, userId),
        ],
      ),

    // `customers` records these itself.
    changeOffice: customers.change,
    stateOfOffice: customers.stateOf,
    closeOffice: customers.close,
    async reopenOffice(id: Id): Promise<void> {
      await imports.requireFinished(id)
      await customers.reopen(id)
    },
    removeDueOffices: customers.removeDue,
    officeImports: imports,

    createUser: (...[customerId, user]: Parameters<UserService['employ']>) =>
      recorded(
        () => users.employ(customerId, user),
        (id) => [userEntry(customerId, id)],
      ),

    // `clients` records these itself.
    createClient: clients.register,
    linkClient: clients.link,
    clientToErase: erasures.find,
    eraseClient: erasures.erase,

    /** As `ClientRepository.identify`. */
    identifyClient: (id: Id, externalUserId: string | null) =>
      recorded(
        () => clients.identify(id, externalUserId),
        () => [{ kind: 'client.changed', customerId: null, subject: { kind: 'client', id }, details: { fields: 'external_user_id' } }],
      ),

    hasApplication: applications.exists,

    createApplication: (...sent: Parameters<ApplicationService['create']>) =>
      recorded(
        () => applications.create(...sent),
        () => [{ kind: 'application.created', subject: application(sent[0]) }],
      ),

    renewSecret: (clientId: string) =>
      recorded(
        () => applications.renewSecret(clientId),
        () => [{ kind: 'application.changed', subject: application(clientId), details: { fields: 'secret' } }],
      ),

    deleteApplication: (clientId: string) =>
      recorded(
        () => applications.remove(clientId),
        () => [{ kind: 'application.deleted', subject: application(clientId) }],
      ),

    /** The account with this user name, or null. */
    accountOf: accounts.byLogin,

    /** Ends every session of the person. */
    setPassword: (...[person, ...password]: Parameters<AccountService['setPassword']>) =>
      recorded(
        async () => {
          await accounts.setPassword(person, ...password)
          return accounts.byId(person)
        },
        (account) => [{ kind: 'password.changed', customerId: account?.customerId ?? null, subject: person }],
      ),

    /** Removes the second factor of a person who has lost it, and ends all of their sessions. @returns false when they had none */
    resetSecondFactor: (person: Parameters<SecondFactorService['reset']>[0], customerId: Id | null) =>
      recorded(
        () => secondFactors.reset(person),
        (done) => (done ? [{ kind: 'second_factor.reset', customerId, subject: person }] : []),
      ),

    /**
     * Makes a new key that signs at once, for when the present one may have leaked.
     * @param revoke whether the tokens of all other keys are refused from then on
     * @returns the id of the new key
     */
    rotateKeys: ({ revoke = false } = {}) =>
      recorded(
        async () => {
          await ring.rotate({ revoke })
          return ring.current().kid
        },
        (kid) => [{ kind: 'key.rotated', subject: { kind: 'signing_key', id: kid }, details: revoke ? { reason: 'revoked' } : {} }],
      ),

    /**
     * Encrypts what a previous secret has encrypted with the present one: the signing keys and the secrets of second factors.
     * @returns how many of each
     */
    async reseal() {
      const ofSecondFactors = await secondFactors.reseal()
      const keys = await recorded(ring.reseal, () => [{ kind: 'key.rotated', details: { reason: 'secret' } }])
      return { keys, secondFactors: ofSecondFactors }
    },
  }
}

export type Administration = ReturnType<typeof administration>
