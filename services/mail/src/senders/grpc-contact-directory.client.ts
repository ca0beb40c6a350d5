import { type Peers, pagesById, peerClients } from '@caseway/kit/grpc'
import { SnapshotServiceClient } from '@caseway/protos/cases_and_counters/v1/snapshot'
import type { ContactDirectory } from './contact-directory.js'

/** cases-and-counters over gRPC. */
export function grpcContactDirectory(peers: Peers): ContactDirectory {
  const snapshot = peerClients(peers, 'cases-and-counters')(SnapshotServiceClient)
  return { providerPersons: () => pagesById(async (page) => (await snapshot.listProviderPersons(page)).contacts) }
}
