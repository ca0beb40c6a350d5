import type { Employee, Id } from '@caseway/kit/caller'
import { AppError } from '@caseway/kit/errors'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import type { ClientRepository, NewAccount } from './client.repository.js'
import type { NewClient } from './client.resource.js'
import type { LinkRepository } from './link.repository.js'

/** The clients of an office. Somebody who has an account already is invited, and his data show after he accepts. */
export const clientService = ({ enter, ...clients }: ClientRepository, links: LinkRepository, hasher: PasswordHasher) => ({
  ...clients,
  create: ({ customerId }: Employee, client: NewClient) => enter(customerId, client),

  /** For whoever runs the installation: an account that can sign in at once, linked with its first office. */
  async register(customerId: Id, { password, ...client }: Omit<NewAccount, 'passwordHash'> & { password: string }): Promise<Id> {
    const { id } = await enter(customerId, { ...client, passwordHash: await hasher.hash(password) })
    return id
  },

  /** For whoever runs the installation: one more office for a client. Nothing, when they are linked. */
  async link(clientId: Id, customerId: Id): Promise<void> {
    await links.accept(clientId, customerId).catch((error: unknown) => {
      if (!(error instanceof AppError && error.kind === 'conflict')) throw error
    })
  },
})

export type ClientService = ReturnType<typeof clientService>
