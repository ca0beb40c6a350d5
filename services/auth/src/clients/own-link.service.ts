import type { Client, Id } from '@caseway/kit/caller'
import type { ResourceReads } from '@caseway/kit/database'
import type { ListQuery, Page, RecordOf, RowOf } from '@caseway/kit/resource'
import type { CustomerService } from '../customers/customer.service.js'
import { noSuchRecord } from '../errors.js'
import type { OfficeRequests } from '../limits/office-requests.js'
import type { LinkRepository } from './link.repository.js'
import type { NewOwnLink, ownLinkResource } from './own-link.resource.js'

type Reads = Pick<ResourceReads<typeof ownLinkResource>, 'get' | 'list'>
type OwnLink = RecordOf<typeof ownLinkResource>

/** A client's side of their links: they turn to an office, accept its invitation, or leave it. */
export const ownLinkService = (own: Reads, links: LinkRepository, customers: CustomerService, requests: OfficeRequests) => {
  const named = async (rows: readonly RowOf<typeof ownLinkResource>[]): Promise<OwnLink[]> => {
    const names = await customers.names(rows.map(({ customerId }) => customerId))
    return rows.map((row) => ({ ...row, customerCompany: { name: names.get(row.customerId) ?? '' } }))
  }
  return {
    async get(caller: Client, id: Id): Promise<OwnLink> {
      const [link] = await named([await own.get(caller, id)])
      return link as OwnLink
    },

    async list(caller: Client, query: ListQuery<typeof ownLinkResource>): Promise<Page<OwnLink>> {
      const page = await own.list(caller, query)
      return { ...page, items: await named(page.items) }
    },

    async create(caller: Client, { customerId }: NewOwnLink): Promise<Id> {
      await requests.count(caller.userId)
      if (!(await customers.exists(customerId))) throw noSuchRecord('customer_id')
      return links.accept(caller.userId, customerId)
    },

    remove: links.leave,
  }
}

export type OwnLinkService = ReturnType<typeof ownLinkService>
