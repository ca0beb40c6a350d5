import type { Readable } from 'node:stream'
import type { ByteRange } from '@caseway/kit/blobs'
import type { ScanResult } from '../common-files/common-file.js'

/** The bytes that are scanned: they can be read several times. */
export interface Scanned {
  readonly sizeBytes: number
  read(range?: ByteRange): Promise<Readable>
}

/** Says what is in a file. */
export interface VirusScanner {
  /**
   * @param signal ends the scan, whose result nobody wants any more
   * @throws AppError `unavailable` while it cannot say: it is asked again then
   */
  scan(content: Scanned, signal: AbortSignal): Promise<ScanResult>
}
