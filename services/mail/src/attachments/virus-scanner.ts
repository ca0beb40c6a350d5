import type { ScanResult } from './attachment.js'

/** Scans bytes for viruses. */
export interface VirusScanner {
  /** @throws AppError `unavailable` while the scanner cannot answer: callers retry */
  scan(bytes: Uint8Array): Promise<ScanResult>
}
