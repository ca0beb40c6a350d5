import { channelCredentials, createGrpcClient, type GrpcEndpoint } from '@caseway/kit/grpc'
import { SnapshotServiceClient } from '@caseway/protos/files/v1/snapshot'
import type { FileDirectory } from './file-directory.js'

const pageSize = 1000

interface Wiring {
  peer(service: string): GrpcEndpoint
  onClose(name: string, close: () => unknown): void
}

/** The service of files over gRPC, at the address that the configuration names. */
export function fileDirectory({ peer, onClose }: Wiring): FileDirectory {
  const { address, security, log } = peer('files')
  const credentials = channelCredentials(security, log)
  const snapshot = createGrpcClient(SnapshotServiceClient, { address, serverName: 'files', credentials })
  onClose('directory of files', () => snapshot.close())
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
