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

/** Identifies a file. */
export interface FileToScan {
  readonly customerId: Id
  readonly id: Id
}

/**
 * A file is scanned by one job at a time. While the scanner is unavailable, it is retried without end and often, because people wait for the result. The
 * lease is short, because a scan whose process was killed is repeated only after it.
 */
const kind = { key: ({ fileId }: Payload) => fileId, leaseMs: 6000, retry: { maxMs: 4000 } }

const firstScan = defineJob<Payload>({ ...kind, name: 'virus-scan' })

/** A separate queue, so that new files do not wait for rescans. */
const rescan = defineJob<Payload>({ ...kind, name: 'virus-rescan' })

const enqueueOf =
  (job: typeof firstScan) =>
  (tx: Tx, { customerId, id }: FileToScan): Promise<void> =>
    enqueue(tx, job, { customerId: String(customerId), fileId: String(id) }, { dedupe: `${customerId}/${id}` })

/** Enqueues the first scan, in the transaction that creates the file. */
export const enqueueScan = enqueueOf(firstScan)

/** Enqueues a rescan. The file keeps its result until there is a new one. */
export const enqueueRescan = enqueueOf(rescan)

export interface ScannedFiles {
  /** Null where the file was deleted. */
  toScan(customerId: Id, id: Id): Promise<{ readonly blobKey: string; readonly size: number } | null>
  scanned(customerId: Id, id: Id, result: ScanResult): Promise<void>
}

interface Scans {
  readonly files: ScannedFiles
  readonly blobs: Pick<BlobStore, 'get'>
  readonly scanner: VirusScanner
  /** How many new files are scanned concurrently. For rescans it is half as many. */
  readonly concurrency: number
}

/** The storage has lost the bytes to scan. */
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
