import { type BlobRecords, type BlobStore, sweepBlobs } from '@caseway/kit/blobs'

const hourMs = 3_600_000

/** A message is written within minutes after its bytes: those that are a day old and have none get none any more. */
const graceMs = 24 * hourMs

/** Removes bytes that belong to no message: of runs that broke off, of mailboxes' messages that were removed for good, and of their attachments. */
export const sweep = (messages: BlobRecords, blobs: BlobStore) => sweepBlobs({ blobs, records: messages, everyMs: 6 * hourMs, graceMs })
