import type { Employee, Id } from '@caseway/kit/caller'
import type { ResourceReads } from '@caseway/kit/database'
import type { ClientRepository } from './client.repository.js'
import type { LinkRepository } from './link.repository.js'
import type { NewOfficeLink, officeLinkResource } from './office-link.resource.js'

type Reads = Pick<ResourceReads<typeof officeLinkResource>, 'get' | 'list'>

/** The links as an office sees them: it invites clients, and ends links. */
export const officeLinkService = (office: Reads, links: LinkRepository, clients: ClientRepository) => ({
  ...office,

  async create({ customerId }: Employee, { email }: NewOfficeLink): Promise<Id> {
    const { linkId } = await clients.enter(customerId, { email })
    return linkId
  },

  remove: ({ customerId }: Employee, id: Id, expected?: number) => links.change({ customerId }, { id }, { state: 'ended' }, expected),
})
