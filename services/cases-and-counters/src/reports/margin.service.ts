import type { Employee, Id } from '@caseway/kit/caller'
import { notFound } from '@caseway/kit/errors'
import { type Page, type PageById, pageOf } from '@caseway/kit/resource'
import type { Margin } from './margin.js'
import type { MarginRepository } from './margin.repository.js'
import { type Period, periodOf } from './period.js'

export interface MarginParts {
  readonly margins: MarginRepository
  readonly timeZoneOf: (customerId: Id) => Promise<string>
}

export const marginService = ({ margins, timeZoneOf }: MarginParts) => ({
  /** @throws AppError `not-found` */
  async ofCase({ customerId }: Employee, issueId: Id): Promise<Margin> {
    const margin = await margins.ofCase({ customerId, issueId })
    if (!margin) throw notFound()
    return margin
  },

  async ofPeriod({ customerId }: Employee, wanted: Partial<Period>, page: PageById): Promise<Page<Margin>> {
    const list = { customerId, ...periodOf(wanted, await timeZoneOf(customerId)), ...page }
    const found = pageOf(await margins.ofPeriod(list), page.limit, ({ issueId }) => issueId)
    return page.count ? { ...found, total: await margins.total(list) } : found
  },
})

export type MarginService = ReturnType<typeof marginService>
