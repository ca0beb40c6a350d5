import type { BlobStore } from '@caseway/kit/blobs'
import { defineJob, enqueue, handleJob, type JobHandler } from '@caseway/kit/jobs'
import type { Tx } from '../database.js'

const job = defineJob<{ readonly blobKey: string }>({ name: 'blob-removal' })

/** In the transaction in which the record of the bytes goes. */
export const enqueueRemoval = (tx: Tx, { blobKey }: { readonly blobKey: string }): Promise<void> => enqueue(tx, job, { blobKey })

/** Removes bytes that have no record any more; while the storage is away, later. */
export const blobRemoval = (blobs: Pick<BlobStore, 'remove'>): JobHandler<unknown> =>
  handleJob(job, ({ payload }) => blobs.remove(payload.blobKey))
