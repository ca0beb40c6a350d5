import type { Client, Id } from '@caseway/kit/caller'
import { resourceReads } from '@caseway/kit/database'
import type { ListQuery, Page, RecordOf, RowOf } from '@caseway/kit/http'
import type { CustomerRepository } from '../customers/customer.repository.js'
import type { Db } from '../database.js'
import { ownLinkResource } from './own-link.resource.js'

type Row = RowOf<typeof ownLinkResource>
type OwnLink = RecordOf<typeof ownLinkResource>

export const ownLinkRepository = (db: Db, customers: CustomerRepository) => {
  const reads = resourceReads(db, ownLinkResource)
  const named = async (rows: readonly Row[]): Promise<OwnLink[]> => {
    const names = await customers.names(rows.map(({ customerId }) => customerId))
    return rows.map((row) => ({ ...row, customerCompany: { name: names.get(row.customerId) ?? '' } }))
  }
  return {
    async get(caller: Client, id: Id): Promise<OwnLink> {
      const [link] = await named([await reads.get(caller, id)])
      return link as OwnLink
    },

    async list(caller: Client, query: ListQuery<typeof ownLinkResource>): Promise<Page<OwnLink>> {
      const page = await reads.list(caller, query)
      return { ...page, items: await named(page.items) }
    },
  }
}

export type OwnLinkRepository = ReturnType<typeof ownLinkRepository>
