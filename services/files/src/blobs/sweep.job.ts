import { type BlobRecords, type BlobStore, sweepBlobs } from '@caseway/kit/blobs'

const hourMs = 3_600_000

/** Removes what uploads that broke off have left in the storage. An upload takes less than an hour: what is older and has no record gets none any more. */
export const sweep = (files: BlobRecords, blobs: BlobStore) => sweepBlobs({ blobs, records: files, everyMs: hourMs, graceMs: hourMs })
