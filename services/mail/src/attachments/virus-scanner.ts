import type { ScanResult } from './attachment.js'

/** Says what is in bytes. */
export interface VirusScanner {
  /** @throws AppError `unavailable` while it cannot say: it is asked again then */
  scan(bytes: Uint8Array): Promise<ScanResult>
}
