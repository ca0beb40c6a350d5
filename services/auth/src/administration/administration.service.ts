import type { Audience, EmployeeRole, Id } from '@caseway/kit/caller'
import { AppError } from '@caseway/kit/errors'
import type { AccountRepository } from '../accounts/account.repository.js'
import { type ApplicationKind, hashSecret, randomSecret } from '../applications/application.js'
import type { ApplicationRepository } from '../applications/application.repository.js'
import type { ClientRepository, NewAccount } from '../clients/client.repository.js'
import type { CustomerService } from '../customers/customer.service.js'
import type { KeyRing } from '../keys/key-ring.service.js'
import type { LinkRepository } from '../links/link.repository.js'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import { numberOfRole } from '../roles/right.js'
import type { UserRoleRepository } from '../roles/user-role.repository.js'
import type { SessionService } from '../sessions/session.service.js'
import type { UserRepository } from '../users/user.repository.js'

export interface NewEmployee {
  readonly email: string
  readonly firstname: string
  readonly lastname: string
  readonly password: string
  readonly role: EmployeeRole
}

interface Parts {
  readonly customers: CustomerService
  readonly roles: UserRoleRepository
  readonly users: UserRepository
  readonly clients: ClientRepository
  readonly links: LinkRepository
  readonly accounts: AccountRepository
  readonly applications: ApplicationRepository
  readonly sessions: SessionService
  readonly hasher: PasswordHasher
  readonly ring: KeyRing
}

/** What whoever runs the installation can do, and nobody over HTTP. */
export const administration = (parts: Parts) => {
  const { customers, roles, users, clients, links, accounts, applications, sessions, hasher, ring } = parts
  return {
    createOffice: customers.found,

    async createUser(customerId: Id, { role, password, ...person }: NewEmployee): Promise<Id> {
      const { id: userRoleId } = await roles.builtIn(customerId, numberOfRole(role))
      return users.create(customerId, { ...person, userRoleId, passwordHash: await hasher.hash(password) })
    },

    /** The account of a client, linked with his first office. */
    async createClient(customerId: Id, { password, ...client }: Omit<NewAccount, 'passwordHash'> & { password: string }): Promise<Id> {
      const { id } = await clients.enter(customerId, { ...client, passwordHash: await hasher.hash(password) })
      return id
    },

    /** One more office for a client. Nothing, when they are linked. */
    async linkClient(clientId: Id, customerId: Id): Promise<void> {
      await links.accept(clientId, customerId).catch((error: unknown) => {
        if (!(error instanceof AppError && error.kind === 'conflict')) throw error
      })
    },

    /** Whoever signs in with this name, or null. */
    accountOf: (audience: Audience, username: string) => accounts.byLogin(audience, username),

    hasApplication: async (clientId: string): Promise<boolean> => (await applications.find(clientId)) !== null,

    /** The secret is shown this once; an application of our own has none. */
    async createApplication(clientId: string, kind: ApplicationKind, name: string): Promise<{ secret: string | null }> {
      const secret = kind === 'technical' ? randomSecret() : null
      await applications.create({ clientId, kind, name, secretHash: secret === null ? null : hashSecret(secret) })
      return { secret }
    },

    /** A new secret in place of one that was lost or told. */
    async renewSecret(clientId: string): Promise<string> {
      const secret = randomSecret()
      await applications.setSecret(clientId, hashSecret(secret))
      return secret
    },

    /** A new password in place of one that was lost. Ends every session of the person. */
    async setPassword(audience: Audience, id: Id, password: string): Promise<void> {
      await accounts.setPassword(audience, id, await hasher.hash(password))
      await sessions.endAll(audience, id)
    },

    /** A new key at once, when the present one may have been told. */
    rotateKeys: ring.rotate,
  }
}

export type Administration = ReturnType<typeof administration>
