import { type Peers, pagesById, peerClients } from '@caseway/kit/grpc'
import { SnapshotServiceClient } from '@caseway/protos/files/v1/snapshot'
import type { FileDirectory } from './file-directory.js'

/** The files service over gRPC. */
export function fileDirectory(peers: Peers): FileDirectory {
  const snapshot = peerClients(peers, 'files')(SnapshotServiceClient)
  return { files: () => pagesById(async (page) => (await snapshot.listFiles(page)).files) }
}
