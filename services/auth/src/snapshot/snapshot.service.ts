import type { Id } from '@caseway/kit/caller'
import type { SnapshotRepository } from './snapshot.repository.js'

const maxPage = 1000

/** A request without a page size gets the largest page. */
const sizeOf = (limit: number) => (limit > 0 ? Math.min(limit, maxPage) : maxPage)

export const snapshotService = (snapshot: SnapshotRepository) => ({
  customers: (after: Id, limit: number) => snapshot.customers(after, sizeOf(limit)),
  users: (after: Id, limit: number) => snapshot.users(after, sizeOf(limit)),
  clients: (after: Id, limit: number) => snapshot.clients(after, sizeOf(limit)),
  groups: (after: Id, limit: number) => snapshot.groups(after, sizeOf(limit)),
  links: (after: Id, limit: number) => snapshot.links(after, sizeOf(limit)),
})

export type SnapshotService = ReturnType<typeof snapshotService>
