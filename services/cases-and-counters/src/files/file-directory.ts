import type { FileEvent } from '@caseway/protos/files/v1/events'

/** The service of files. */
export interface FileDirectory {
  /** All files that there are, page by page, each with the revision of its last event. Throws `unavailable` where the service does not answer. */
  files(): AsyncIterable<FileEvent[]>
}
