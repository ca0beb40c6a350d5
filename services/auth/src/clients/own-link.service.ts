import type { Client, Id } from '@caseway/kit/caller'
import type { ResourceReads } from '@caseway/kit/database'
import { noSuchRecord } from '@caseway/kit/errors'
import type { Limit } from '@caseway/kit/limits'
import type { CustomerService } from '../customers/customer.service.js'
import type { LinkRepository } from './link.repository.js'
import type { NewOwnLink, ownLinkResource } from './own-link.resource.js'

type Reads = Pick<ResourceReads<typeof ownLinkResource>, 'get' | 'list'>

export interface Invitation {
  /** The id of the link. */
  readonly id: Id
  readonly customerId: Id
  /** The name of the office. */
  readonly name: string
}

/** The links as a client sees them: they link with an office, accept its invitation, or leave it. */
export const ownLinkService = (own: Reads, links: LinkRepository, customers: CustomerService, requests: Limit) => ({
  ...own,

  /** The offices with an open invitation, with their names. */
  async invitations(caller: Client): Promise<Invitation[]> {
    const invited = await links.invitations(caller)
    const offices = await customers.some(
      caller,
      invited.map(({ customerId }) => customerId),
    )
    const names = new Map(offices.map(({ id, name }) => [id, name]))
    return invited.map((link) => ({ ...link, name: names.get(link.customerId) ?? '' }))
  },

  async create(caller: Client, { customerId }: NewOwnLink): Promise<Id> {
    await requests.count([String(caller.userId)])
    if (!(await customers.exists(customerId))) throw noSuchRecord('customer_id')
    return links.accept(caller.userId, customerId)
  },

  remove: links.leave,
})

export type OwnLinkService = ReturnType<typeof ownLinkService>
