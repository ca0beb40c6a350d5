import { Readable } from 'node:stream'
import { tooLarge } from '@caseway/kit/errors'
import { clientStream } from '@caseway/kit/grpc'
import type { ScanRequest, ScanServiceServer } from '@caseway/protos/files/v1/scans'
import { wireStatuses } from '../common-files/file-event.js'
import type { Spool } from './archive.js'
import type { VirusScanner } from './virus-scanner.js'

interface Scans {
  readonly scanner: VirusScanner
  readonly spool: Spool
  readonly maxBytes: number
}

/** Scans bytes of another service, under the same conditions as uploads. */
export const scanGrpc = ({ scanner, spool, maxBytes }: Scans): ScanServiceServer => ({
  scan: clientStream(async (requests, cancelled) => {
    const { status, error = '' } = await spool(
      async () => Readable.from(bounded(requests, maxBytes), { objectMode: false }),
      (content) => scanner.scan(content, cancelled),
    )
    return { status: wireStatuses[status], error }
  }),
})

async function* bounded(requests: AsyncIterable<ScanRequest>, maxBytes: number) {
  let sizeBytes = 0
  for await (const { chunk } of requests) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw tooLarge('The file is too large.')
    yield chunk
  }
}
