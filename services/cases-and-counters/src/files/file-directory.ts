import type { FileEvent } from '@caseway/protos/files/v1/events'

/** The files service. */
export interface FileDirectory {
  /** All files that are not deleted, in pages, each with the revision of its last event. @throws AppError `unavailable` */
  files(): AsyncIterable<FileEvent[]>
}
