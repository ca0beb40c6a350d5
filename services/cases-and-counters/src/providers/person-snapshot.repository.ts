import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import type { ContactEvent } from '@caseway/protos/cases_and_counters/v1/events'
import type { Db } from '../database.js'
import { personEvent } from './provider-person-event.js'

const maxPage = 1000

/** The present persons of providers as the messages of their events, in pages. */
export const personSnapshotRepository = (db: Db) => ({
  /** @param limit 0 for the maximum size of a page */
  async page(after: Id, limit: number): Promise<ContactEvent[]> {
    const take = limit > 0 ? Math.min(limit, maxPage) : maxPage
    const found = await db.read(platform).providerPerson.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take })
    return found.map(personEvent)
  },
})
