import type { Employee } from '@caseway/kit/caller'
import type { ClientRepository } from './client.repository.js'
import type { NewClient } from './client.resource.js'

/** The clients of an office. Somebody who has an account already is invited, and his data show after he accepts. */
export const clientService = ({ enter, ...clients }: ClientRepository) => ({
  ...clients,
  create: ({ customerId }: Employee, client: NewClient) => enter(customerId, client),
})

export type ClientService = ReturnType<typeof clientService>
