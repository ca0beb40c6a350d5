import type { FolderCountEvent } from '@caseway/protos/mail/v1/events'

/** The counts of mail folders, which the mail service owns. */
export interface MailFolderDirectory {
  /** All counts, in pages, each with the revision of its last event. @throws AppError `unavailable` */
  counts(): AsyncIterable<FolderCountEvent[]>
}
