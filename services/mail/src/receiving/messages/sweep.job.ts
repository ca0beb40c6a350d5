import { type BlobRecords, type BlobStore, sweepBlobs } from '@caseway/kit/blobs'

const hourMs = 3_600_000

/** A message is written within minutes after its bytes: bytes that are a day old and belong to none are garbage. */
const graceMs = 24 * hourMs

/** Removes bytes that belong to no message or attachment: of failed runs, and of messages that were removed for good. */
export const sweep = (messages: BlobRecords, blobs: BlobStore) => sweepBlobs({ blobs, records: messages, everyMs: 6 * hourMs, graceMs })
