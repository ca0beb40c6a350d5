import type { Id } from '@caseway/kit/caller'
import { unary } from '@caseway/kit/grpc'
import type { ContactEvent } from '@caseway/protos/cases_and_counters/v1/events'
import type { SnapshotServiceServer } from '@caseway/protos/cases_and_counters/v1/snapshot'

interface Snapshot {
  page(after: Id, limit: number): Promise<ContactEvent[]>
}

export const personSnapshotGrpc = (snapshot: Snapshot): SnapshotServiceServer => ({
  listProviderPersons: unary(async ({ after, limit }) => ({ contacts: await snapshot.page(after, limit) })),
})
