import type { Client, Id } from '@caseway/kit/caller'
import type { CustomerRepository } from '../customers/customer.repository.js'
import { noSuchRecord } from '../errors.js'
import type { LinkRepository } from './link.repository.js'
import type { OwnLinkRepository } from './own-link.repository.js'
import type { NewOwnLink } from './own-link.resource.js'

/** A client's side of his links: he turns to an office, accepts its invitation, or leaves it. */
export const ownLinkService = (own: OwnLinkRepository, links: LinkRepository, customers: CustomerRepository) => ({
  ...own,

  async create(caller: Client, { customerId }: NewOwnLink): Promise<Id> {
    if (!(await customers.find(customerId))) throw noSuchRecord('customer_id')
    return links.accept(caller.userId, customerId)
  },

  remove: links.leave,
})

export type OwnLinkService = ReturnType<typeof ownLinkService>
