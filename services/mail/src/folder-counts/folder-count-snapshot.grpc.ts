import { unary } from '@caseway/kit/grpc'
import type { FolderCountEvent } from '@caseway/protos/mail/v1/events'
import { type SnapshotServiceServer, SnapshotServiceService } from '@caseway/protos/mail/v1/snapshot'

interface Snapshot {
  page(after: FolderCountEvent | undefined, limit: number): Promise<FolderCountEvent[]>
}

export const folderCountSnapshotGrpc = (snapshot: Snapshot): readonly [typeof SnapshotServiceService, SnapshotServiceServer] => [
  SnapshotServiceService,
  { listFolderCounts: unary(async ({ after, limit }) => ({ counts: await snapshot.page(after, limit) })) },
]
