import { type JobHandler, scheduledJob } from '../jobs/index.js'
import type { BlobKey, BlobStore } from './blob-store.js'

/** How many keys are looked up at once. */
const batch = 500

/** The records of a service that name blobs. */
export interface BlobRecords {
  /** Those of `keys` that must stay: a record names the blob, or it may still be read. */
  known(keys: readonly BlobKey[]): Promise<ReadonlySet<BlobKey>>
}

interface Sweep {
  readonly blobs: Pick<BlobStore, 'olderThan' | 'remove'>
  readonly records: BlobRecords
  readonly everyMs: number
  /** The age, in milliseconds, from which a blob without a record is removed: longer than an upload takes to write its record. */
  readonly graceMs: number
}

/** The job that removes blobs which no record names, such as those of an upload that broke off. */
export const sweepBlobs = ({ blobs, records, everyMs, graceMs }: Sweep): JobHandler<unknown> =>
  scheduledJob('sweep', { every: everyMs }, async ({ signal }) => {
    const removeUnknown = async (keys: readonly BlobKey[]) => {
      signal.throwIfAborted()
      const known = await records.known(keys)
      for (const key of keys) if (!known.has(key)) await blobs.remove(key)
    }
    let keys: BlobKey[] = []
    for await (const key of blobs.olderThan(new Date(Date.now() - graceMs))) {
      keys.push(key)
      if (keys.length < batch) continue
      await removeUnknown(keys)
      keys = []
    }
    await removeUnknown(keys)
  })
