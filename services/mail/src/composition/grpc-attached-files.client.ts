import { Readable } from 'node:stream'
import type { Id } from '@caseway/kit/caller'
import { AppError, unavailable } from '@caseway/kit/errors'
import { type Peers, peerClients } from '@caseway/kit/grpc'
import { ContentServiceClient } from '@caseway/protos/files/v1/contents'
import type { AttachedFiles } from './attached-files.js'

/** The longest time that a request may take. */
const deadlineMs = 30_000

/** The service files over gRPC. */
export function grpcAttachedFiles(peers: Peers): AttachedFiles {
  const contents = peerClients(peers, 'files')(ContentServiceClient, { deadlineMs })

  async function* bytesOf(customerId: Id, commonFileId: Id) {
    let remainingBytes = 0n
    for await (const { part } of contents.readContent({ customerId, commonFileId })) {
      if (part?.$case === 'head') remainingBytes = part.value.sizeBytes
      if (part?.$case !== 'chunk') continue
      remainingBytes -= BigInt(part.value.length)
      yield part.value
    }
    if (remainingBytes !== 0n) throw unavailable(new Error(`files has not sent all of the file ${commonFileId}.`))
  }

  return {
    async head(customerId, commonFileId) {
      try {
        // Returning from the loop cancels the call.
        for await (const { part } of contents.readContent({ customerId, commonFileId }))
          if (part?.$case === 'head') return { ...part.value, sizeBytes: Number(part.value.sizeBytes) }
        throw new Error(`files has said nothing of the file ${commonFileId}.`)
      } catch (error) {
        if (error instanceof AppError && error.kind === 'not-found') return 'missing'
        if (error instanceof AppError && error.kind === 'conflict') return 'not-clean'
        throw error
      }
    },
    read: (customerId, commonFileId) => Readable.from(bytesOf(customerId, commonFileId), { objectMode: false }),
  }
}
