import type { Readable } from 'node:stream'
import type { Id } from '@caseway/kit/caller'

export interface FileHead {
  readonly name: string
  /** Media type. */
  readonly mime: string
  readonly sizeBytes: number
}

/** The files of an office, read from the service files. Both methods fail with AppError `unavailable` where it does not answer. */
export interface AttachedFiles {
  /** `missing` where the office has no such file, `not-clean` where it has not passed the virus scan, or its bytes are lost. */
  head(customerId: Id, commonFileId: Id): Promise<FileHead | 'missing' | 'not-clean'>
  /** The call begins when the stream is first read. */
  read(customerId: Id, commonFileId: Id): Readable
}
