import { type Peers, peerClients } from '@caseway/kit/grpc'
import { SnapshotServiceClient } from '@caseway/protos/files/v1/snapshot'
import type { FileDirectory } from './file-directory.js'

const pageSize = 1000

/** The service of files over gRPC, at the address that the configuration names. */
export function fileDirectory(peers: Peers): FileDirectory {
  const snapshot = peerClients(peers, 'files')(SnapshotServiceClient)
  return {
    async *files() {
      for (let after = 0n; ; ) {
        const { files } = await snapshot.listFiles({ after, limit: pageSize })
        const last = files.at(-1)
        if (!last) return
        yield files
        after = last.id
      }
    },
  }
}
