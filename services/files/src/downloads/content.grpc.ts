import { serverStream } from '@caseway/kit/grpc'
import type { ContentServiceServer } from '@caseway/protos/files/v1/contents'
import type { DownloadService } from './download.service.js'

/** The bytes of a file for another service, on the terms of a download. */
export const contentGrpc = ({ find, open }: DownloadService): ContentServiceServer => ({
  readContent: serverStream(async function* ({ customerId, commonFileId }) {
    const file = await find({ customerId }, commonFileId)
    const { name, mime, sizeBytes } = file
    const content = await open(file)
    try {
      yield { part: { $case: 'head' as const, value: { name, mime, sizeBytes: BigInt(sizeBytes) } } }
      for await (const chunk of content) yield { part: { $case: 'chunk' as const, value: chunk } }
    } finally {
      // A caller who leaves after the head has read none of it.
      content.destroy()
    }
  }),
})
