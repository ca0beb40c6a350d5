import type { Employee, Id } from '@caseway/kit/caller'
import { resourceReads } from '@caseway/kit/database'
import type { ListQuery, Page, RecordOf, RowOf } from '@caseway/kit/resource'
import type { Db } from '../database.js'
import type { LinkRepository } from './link.repository.js'
import { officeLinkResource } from './office-link.resource.js'

type Row = RowOf<typeof officeLinkResource>
type OfficeLink = RecordOf<typeof officeLinkResource>

export const officeLinkRepository = (db: Db, links: LinkRepository) => {
  const reads = resourceReads(db, officeLinkResource)
  const named = async ({ customerId }: Employee, rows: readonly Row[]): Promise<OfficeLink[]> => {
    const ids = rows.map(({ userClientId }) => userClientId)
    const cards = await links.cards(customerId, ids)
    return rows.flatMap((row) => {
      const client = cards.get(row.userClientId)
      return client ? [{ ...row, client }] : []
    })
  }
  return {
    async get(caller: Employee, id: Id): Promise<OfficeLink> {
      const [link] = await named(caller, [await reads.get(caller, id)])
      return link as OfficeLink
    },

    async list(caller: Employee, query: ListQuery<typeof officeLinkResource>): Promise<Page<OfficeLink>> {
      const page = await reads.list(caller, query)
      return { ...page, items: await named(caller, page.items) }
    },
  }
}

export type OfficeLinkRepository = ReturnType<typeof officeLinkRepository>
