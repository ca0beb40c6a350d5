import { type Peers, peerClients } from '@caseway/kit/grpc'
import { ContentServiceClient } from '@caseway/protos/files/v1/contents'
import { fileTypeFromBuffer } from 'file-type'
import type { FileHead, OfficeFiles } from './logo.js'

/** OfficeFiles over gRPC to the service files. */
export function officeFiles(peers: Peers): OfficeFiles {
  const contents = peerClients(peers, 'files')(ContentServiceClient, { deadlineMs: 10_000 })

  return {
    async read(customerId, commonFileId, accept) {
      let head: FileHead | undefined
      const chunks: Buffer[] = []
      for await (const { part } of contents.readContent({ customerId, commonFileId })) {
        if (part?.$case === 'head') {
          head = { ...part.value, sizeBytes: Number(part.value.sizeBytes) }
          accept(head)
        }
        if (part?.$case === 'chunk') chunks.push(part.value)
      }
      const bytes = new Uint8Array(Buffer.concat(chunks))
      if (!head || bytes.length !== head.sizeBytes) throw new Error(`files sent only ${bytes.length} bytes of the file ${commonFileId}.`)
      return { ...head, mime: (await fileTypeFromBuffer(bytes))?.mime ?? '', bytes }
    },
  }
}
