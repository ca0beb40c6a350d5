import type { Id } from '@caseway/kit/caller'

/** What the scanner says of a file. Only one that is `ok` can be downloaded. */
export const scanStatuses = ['pending', 'ok', 'infected', 'failed'] as const
export type ScanStatus = (typeof scanStatuses)[number]

/** The bytes of an upload, as they were stored. */
export interface StoredBytes {
  readonly blobKey: string
  readonly sizeBytes: number
  readonly sha256: Uint8Array<ArrayBuffer>
  /** Media type. */
  readonly mime: string
}

/** An upload that has arrived whole. */
export interface ReceivedFile extends StoredBytes {
  readonly name: string
}

/** The entity tag of bytes (RFC 9110 8.8.3). */
export const etagOf = (sha256: Uint8Array): string => `"${Buffer.from(sha256).toString('base64url')}"`

/** What a scan has found. */
export interface ScanResult {
  readonly status: Exclude<ScanStatus, 'pending'>
  readonly error?: string
  /** The storage does not have the bytes any more. */
  readonly lost?: boolean
}

/** What is needed to read the bytes. */
export interface FileBytes {
  readonly id: Id
  readonly customerId: Id
  readonly name: string
  readonly mime: string
  readonly sizeBytes: number
  /** Of the bytes: the same for as long as the file exists. */
  readonly etag: string
  readonly blobKey: string
  readonly status: ScanStatus
  /** As of the last time that somebody looked: the storage does not have the bytes. */
  readonly isLost: boolean
}
