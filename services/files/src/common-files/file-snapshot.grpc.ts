import type { Id } from '@caseway/kit/caller'
import { unary } from '@caseway/kit/grpc'
import type { FileEvent } from '@caseway/protos/files/v1/events'
import type { SnapshotServiceServer } from '@caseway/protos/files/v1/snapshot'

interface Snapshot {
  page(after: Id, limit: number): Promise<FileEvent[]>
}

export const fileSnapshotGrpc = (snapshot: Snapshot): SnapshotServiceServer => ({
  listFiles: unary(async ({ after, limit }) => ({ files: await snapshot.page(after, limit) })),
})
