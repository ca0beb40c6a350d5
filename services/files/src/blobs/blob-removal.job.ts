import type { BlobStore } from '@caseway/kit/blobs'
import { defineJob, enqueue, handleJob, type JobHandler } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'

const job = defineJob<{ readonly blobKey: string }>({ name: 'blob-removal' })

/** Enqueues the removal of a blob, in the transaction that deletes its record. */
export const enqueueRemoval = (tx: Tx, { blobKey }: { readonly blobKey: string }): Promise<void> => enqueue(tx, job, { blobKey })

/** Removes blobs whose record was deleted. While the storage is unavailable, the job is retried. */
export const blobRemoval = (blobs: Pick<BlobStore, 'remove'>): JobHandler<unknown> =>
  handleJob(job, ({ payload }) => blobs.remove(payload.blobKey))
