import type { Id } from '@caseway/kit/caller'
import { platform } from '@caseway/kit/database'
import { clientEvent } from '../clients/client-event.js'
import { linkEvent } from '../clients/link-event.js'
import { customerEvent } from '../customers/customer-event.js'
import type { Db } from '../database.js'
import { groupEvent } from '../groups/group-event.js'
import { userEvent } from '../users/user-event.js'

/** The present state as the messages of the events, in pages. */
export const snapshotRepository = (db: Db) => {
  const page = (after: Id, limit: number) => ({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: limit }) as const
  const reader = () => db.read(platform)
  return {
    customers: async (after: Id, limit: number) => (await reader().customer.findMany(page(after, limit))).map(customerEvent),
    users: async (after: Id, limit: number) => (await reader().user.findMany(page(after, limit))).map(userEvent),
    groups: async (after: Id, limit: number) => (await reader().group.findMany(page(after, limit))).map(groupEvent),
    clients: async (after: Id, limit: number) => (await reader().client.findMany(page(after, limit))).map(clientEvent),

    async links(after: Id, limit: number) {
      const links = await reader().clientLink.findMany(page(after, limit))
      const ids = links.map(({ userClientId }) => userClientId)
      const accounts = await reader().client.findMany({ where: { id: { in: ids } }, select: { id: true, email: true } })
      const emails = new Map(accounts.map(({ id, email }) => [id, email]))
      return links.map((link) => linkEvent(link, emails.get(link.userClientId) ?? ''))
    },
  }
}

export type SnapshotRepository = ReturnType<typeof snapshotRepository>
