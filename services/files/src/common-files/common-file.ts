import type { Id } from '@caseway/kit/caller'

/** The states of the virus scan. Only files that are `ok` can be downloaded. */
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

/** A completely received upload. */
export interface ReceivedFile extends StoredBytes {
  readonly name: string
}

/** The entity tag of bytes (RFC 9110 8.8.3). */
export const etagOf = (sha256: Uint8Array): string => `"${Buffer.from(sha256).toString('base64url')}"`

/** The result of a virus scan. */
export interface ScanResult {
  readonly status: Exclude<ScanStatus, 'pending'>
  readonly error?: string
  /** Whether the storage has lost the bytes. */
  readonly lost?: boolean
}

/** A file with everything that reading its bytes needs. */
export interface FileBytes {
  readonly id: Id
  readonly customerId: Id
  readonly name: string
  readonly mime: string
  readonly sizeBytes: number
  /** The entity tag of the bytes, which never change. */
  readonly etag: string
  readonly blobKey: string
  readonly status: ScanStatus
  /** Whether the storage had lost the bytes at the last check. */
  readonly isLost: boolean
}
