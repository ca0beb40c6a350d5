import { type Peers, peerClients } from '@caseway/kit/grpc'
import { SnapshotServiceClient } from '@caseway/protos/mail/v1/snapshot'
import type { MailFolderDirectory } from './mail-folder-directory.js'

const limit = 1000

/** The mail service over gRPC. */
export function mailFolderDirectory(peers: Peers): MailFolderDirectory {
  const snapshot = peerClients(peers, 'mail')(SnapshotServiceClient)
  return {
    async *counts() {
      let { counts } = await snapshot.listFolderCounts({ limit })
      for (let after = counts.at(-1); after; after = counts.at(-1)) {
        yield counts
        counts = (await snapshot.listFolderCounts({ after, limit })).counts
      }
    },
  }
}
