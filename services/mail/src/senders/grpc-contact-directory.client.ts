import { channelCredentials, createGrpcClient, type GrpcEndpoint } from '@caseway/kit/grpc'
import { SnapshotServiceClient } from '@caseway/protos/cases_and_counters/v1/snapshot'
import type { ContactDirectory } from './contact-directory.js'

const pageSize = 1000

interface Wiring {
  peer(service: string): GrpcEndpoint
  onClose(name: string, close: () => unknown): void
}

/** cases-and-counters over gRPC. */
export function grpcContactDirectory({ peer, onClose }: Wiring): ContactDirectory {
  const { address, security, log } = peer('cases-and-counters')
  const credentials = channelCredentials(security, log)
  const snapshot = createGrpcClient(SnapshotServiceClient, { address, serverName: 'cases-and-counters', credentials })
  onClose('directory of contacts', snapshot.close)
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
