import type { Id } from '@caseway/kit/caller'
import { defineJob, enqueue, handleJob, type JobHandler } from '@caseway/kit/jobs'
import type { BlobStore, ByteRange } from '../blobs/blob-store.js'
import type { ScanResult } from '../common-files/common-file.js'
import type { Tx } from '../database.js'
import type { VirusScanner } from './virus-scanner.js'

interface Payload {
  readonly customerId: string
  readonly fileId: string
}

/** One at a time of each file. While the scanner is away it is tried again without end. */
const job = defineJob<Payload>({ name: 'virus-scan', key: ({ fileId }) => fileId, retry: { mostMs: 10_000 } })

/** In the transaction in which the file is created, or is to be scanned again. */
export const enqueueScan = (tx: Tx, { customerId, id }: { readonly customerId: Id; readonly id: Id }): Promise<void> =>
  enqueue(tx, job, { customerId: String(customerId), fileId: String(id) }, { dedupe: `${customerId}/${id}` })

interface Scans {
  readonly files: {
    toScan(customerId: Id, id: Id): Promise<{ readonly blobKey: string; readonly size: number } | null>
    scanned(customerId: Id, id: Id, result: ScanResult): Promise<void>
  }
  readonly blobs: Pick<BlobStore, 'get'>
  readonly scanner: VirusScanner
}

/** Why a scan cannot be: the storage has lost the bytes. */
class LostBytes extends Error {}

export const scanJob = ({ files, blobs, scanner }: Scans): JobHandler<unknown> =>
  handleJob(job, async (run) => {
    const [customerId, id] = [BigInt(run.payload.customerId), BigInt(run.payload.fileId)]
    const file = await files.toScan(customerId, id)
    if (!file) return
    const read = async (range?: ByteRange) => {
      const content = await blobs.get(file.blobKey, range)
      if (!content) throw new LostBytes()
      return content
    }
    const result = await scanner.scan({ sizeBytes: file.size, read }).catch((error): ScanResult => {
      if (error instanceof LostBytes) return { status: 'failed', error: 'The storage has lost the file.', lost: true }
      throw error
    })
    await run.finish(() => files.scanned(customerId, id, result))
  })
