import type { Employee, Id } from '@caseway/kit/caller'
import { AppError } from '@caseway/kit/errors'
import type { PasswordHasher } from '../passwords/password-hasher.js'
import type { ClientRepository } from './client.repository.js'
import type { NewClient } from './client.resource.js'
import { externalUserIdTaken } from './client-errors.js'
import type { Card, LinkRepository } from './link.repository.js'

export interface Registration extends Card {
  readonly email: string
  readonly password: string
}

/** The clients of an office. Somebody who has an account already is invited; the office sees their data after they accept. */
export const clientService = ({ enter, isRefused, ...clients }: ClientRepository, links: LinkRepository, hasher: PasswordHasher) => ({
  ...clients,

  fieldErrors: async (_: Employee, { email, externalUserId }: Partial<NewClient>) =>
    externalUserId != null && (await isRefused(externalUserId, email)) ? externalUserIdTaken().fields : undefined,

  create: ({ customerId }: Employee, { email, externalUserId, ...card }: NewClient) =>
    enter(customerId, { email, externalUserId: externalUserId ?? null }, card),

  /** For the operator of the installation: creates an account that can sign in at once, linked with its first office. */
  async register(customerId: Id, { email, password, ...card }: Registration): Promise<Id> {
    const { id } = await enter(customerId, { email, passwordHash: await hasher.hash(password), confirmed: true }, card)
    return id
  },

  acceptInvitation: links.acceptInvitation,

  /** For the operator of the installation: links a client with one more office. Does nothing if they are linked. */
  async link(clientId: Id, customerId: Id): Promise<void> {
    await links.accept(clientId, customerId).catch((error: unknown) => {
      if (!(error instanceof AppError && error.kind === 'conflict')) throw error
    })
  },
})

export type ClientService = ReturnType<typeof clientService>
