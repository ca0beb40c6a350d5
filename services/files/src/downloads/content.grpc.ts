import { serverStream } from '@caseway/kit/grpc'
import type { ContentServiceServer } from '@caseway/protos/files/v1/contents'
import type { DownloadService } from './download.service.js'

/** Sends the bytes of a file to another service, under the same conditions as a download. */
export const contentGrpc = ({ find, open }: DownloadService): ContentServiceServer => ({
  readContent: serverStream(async function* ({ customerId, commonFileId }) {
    const file = await find({ customerId }, commonFileId)
    const { name, mime, sizeBytes } = file
    const content = await open(file)
    try {
      yield { part: { $case: 'head' as const, value: { name, mime, sizeBytes: BigInt(sizeBytes) } } }
      for await (const chunk of content) yield { part: { $case: 'chunk' as const, value: chunk } }
    } finally {
      // The content is not read where the caller leaves after the first message.
      content.destroy()
    }
  }),
})
