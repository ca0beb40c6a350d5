import type { BlobStore, ByteRange } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import { defineJob, enqueue, handleJob, type JobHandler, type Run } from '@caseway/kit/jobs'
import type { ScanResult } from '../common-files/common-file.js'
import type { Tx } from '../database.js'
import type { VirusScanner } from './virus-scanner.js'

interface Payload {
  readonly customerId: string
  readonly fileId: string
}

/** What names a file. */
export interface FileToScan {
  readonly customerId: Id
  readonly id: Id
}

/**
 * One at a time of each file. While the scanner is away it is tried again without end, and often: whoever has sent the file waits for it. The
 * lease is short, because a scan that was killed is repeated when it has ended.
 */
const kind = { key: ({ fileId }: Payload) => fileId, leaseMs: 6000, retry: { mostMs: 4000 } }

const firstScan = defineJob<Payload>({ ...kind, name: 'virus-scan' })

/** In a line of its own, so that new files do not wait behind those that are scanned again. */
const rescan = defineJob<Payload>({ ...kind, name: 'virus-rescan' })

const enqueueOf =
  (job: typeof firstScan) =>
  (tx: Tx, { customerId, id }: FileToScan): Promise<void> =>
    enqueue(tx, job, { customerId: String(customerId), fileId: String(id) }, { dedupe: `${customerId}/${id}` })

/** In the transaction in which the file is created. */
export const enqueueScan = enqueueOf(firstScan)

/** Of a file that has a result, which it keeps until there is another one. */
export const enqueueRescan = enqueueOf(rescan)

export interface ScannedFiles {
  /** Null where the file is gone. */
  toScan(customerId: Id, id: Id): Promise<{ readonly blobKey: string; readonly size: number } | null>
  scanned(customerId: Id, id: Id, result: ScanResult): Promise<void>
}

interface Scans {
  readonly files: ScannedFiles
  readonly blobs: Pick<BlobStore, 'get'>
  readonly scanner: VirusScanner
  /** New files that are scanned at the same time; of those that are scanned again it is half as many. */
  readonly concurrency: number
}

/** Why a scan cannot be: the storage has lost the bytes. */
class LostBytes extends Error {}

export function scanJobs({ files, blobs, scanner, concurrency }: Scans): JobHandler<unknown>[] {
  const scan = async (run: Run<Payload>) => {
    const [customerId, id] = [BigInt(run.payload.customerId), BigInt(run.payload.fileId)]
    const file = await files.toScan(customerId, id)
    if (!file) return
    const read = async (range?: ByteRange) => {
      const content = await blobs.get(file.blobKey, range)
      if (!content) throw new LostBytes()
      return content
    }
    const result = await scanner.scan({ sizeBytes: file.size, read }, run.signal).catch((error): ScanResult => {
      if (error instanceof LostBytes) return { status: 'failed', error: 'The storage has lost the file.', lost: true }
      throw error
    })
    await run.finish(() => files.scanned(customerId, id, result))
  }
  return [handleJob(firstScan, scan, { concurrency }), handleJob(rescan, scan, { concurrency: Math.ceil(concurrency / 2) })]
}
