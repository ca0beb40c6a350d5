import type { BlobStore } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import type { SocketAddress } from '@caseway/kit/config'
import { platform } from '@caseway/kit/database'
import type { Logger, Metrics } from '@caseway/kit/observability'
import type { Db } from '../database.js'
import { archiveScanner, defaultLimits } from './archive-scanner.js'
import { clamdScanner } from './clamd-scanner.client.js'
import { eicarScanner } from './eicar-scanner.js'
import { enqueuePending, enqueueRescans, rescanJob } from './rescan.job.js'
import { scanGrpc } from './scan.grpc.js'
import { scanJobs } from './scan.job.js'
import { scanMetrics } from './scan-metrics.js'
import { type PublishFile, scannedFileRepository } from './scanned-file.repository.js'
import { inTemporaryFile } from './temporary-file.client.js'
import { zipArchives } from './zip-archive.client.js'

interface ScanConfig {
  readonly clamdAddress: SocketAddress | undefined
  readonly clamdTimeoutMs: number
  readonly scanConcurrency: number
  readonly allowEncrypted: boolean
  readonly maxBytes: number
}

interface Around {
  readonly files: { readonly publish: PublishFile }
  readonly blobs: Pick<BlobStore, 'get'>
  readonly config: ScanConfig
  readonly log: Logger
  readonly metrics: Metrics
}

/** A sentence on the scan, for the documentation of the API. */
const finds = {
  clamd: 'It can be downloaded after the virus scanner has found nothing in it.',
  nothing: 'It can be downloaded unless it is the EICAR test file: this installation has no virus scanner (`FILES_CLAMD_ADDRESS`).',
}

/** The virus scans. */
export function wireScans(db: Db, { files: { publish }, blobs, config, log, metrics }: Around) {
  const { clamdAddress: address, clamdTimeoutMs: timeoutMs, scanConcurrency: concurrency, allowEncrypted, maxBytes } = config
  const files = scannedFileRepository(db, publish)
  const inner = address ? clamdScanner({ address, timeoutMs }) : eicarScanner
  const limits = { ...defaultLimits, allowEncrypted }
  const scanner = archiveScanner({ inner, format: zipArchives, spool: inTemporaryFile, limits })
  scanMetrics(metrics, files.oldestPending)
  const warn = () => {
    if (!address) log.warn('FILES_CLAMD_ADDRESS names no virus scanner: only the EICAR test file is found')
  }

  return {
    part: { name: 'virus scans', start: warn, stop: () => undefined },
    finds: address ? finds.clamd : finds.nothing,
    grpc: scanGrpc({ scanner, spool: inTemporaryFile, maxBytes }),
    jobs: [...scanJobs({ files, blobs, scanner, concurrency }), rescanJob(files)],
    /** Enqueues scans of files without a result, such as those of an imported office. */
    scanPending: (customerId: Id) => enqueuePending(db, files, customerId),
    /** Enqueues rescans of files that were uploaded since `since`. @returns the number of files */
    rescan: (since: Date): Promise<number> =>
      db.write(platform, async (tx) => {
        await enqueueRescans(tx, since)
        return files.countWithResult(since)
      }),
  }
}
