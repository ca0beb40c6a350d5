import { type Peers, peerClients } from '@caseway/kit/grpc'
import { SnapshotServiceClient } from '@caseway/protos/cases_and_counters/v1/snapshot'
import type { ContactDirectory } from './contact-directory.js'

const pageSize = 1000

/** cases-and-counters over gRPC. */
export function grpcContactDirectory(peers: Peers): ContactDirectory {
  const snapshot = peerClients(peers, 'cases-and-counters')(SnapshotServiceClient)
  return {
    async *providerPersons() {
      for (let after = 0n; ; ) {
        const { contacts } = await snapshot.listProviderPersons({ after, limit: pageSize })
        const last = contacts.at(-1)
        if (!last) return
        yield contacts
        after = last.id
      }
    },
  }
}
