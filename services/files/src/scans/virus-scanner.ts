import type { Readable } from 'node:stream'
import type { ByteRange } from '@caseway/kit/blobs'
import type { ScanResult } from '../common-files/common-file.js'

/** Bytes to scan, which can be read several times. */
export interface Scanned {
  readonly sizeBytes: number
  read(range?: ByteRange): Promise<Readable>
}

/** Scans files for viruses. */
export interface VirusScanner {
  /**
   * @param signal aborts the scan
   * @throws AppError `unavailable` where there is no result, so that the scan must be retried
   */
  scan(content: Scanned, signal: AbortSignal): Promise<ScanResult>
}
