import { type BlobRecords, type BlobStore, sweepBlobs } from '@caseway/kit/blobs'

const hourMs = 3_600_000

/** Removes the blobs of aborted uploads: those that have no record after an hour, which no upload exceeds. */
export const sweep = (files: BlobRecords, blobs: BlobStore) => sweepBlobs({ blobs, records: files, everyMs: hourMs, graceMs: hourMs })
