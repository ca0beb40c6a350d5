import type { BlobKey, BlobStore } from '@caseway/kit/blobs'
import { type JobHandler, scheduledJob } from '@caseway/kit/jobs'

const hour = 3_600_000
/** Keys that are looked up at once. */
const batch = 500

interface Sweep {
  /** Says which of some blobs have a record. */
  readonly files: { known(keys: readonly BlobKey[]): Promise<ReadonlySet<BlobKey>> }
  readonly blobs: Pick<BlobStore, 'olderThan' | 'remove'>
  /** An upload takes less: what is older and has no record gets none any more. */
  readonly graceMs?: number
}

/** Removes what uploads that broke off have left in the storage. */
export const sweep = ({ files, blobs, graceMs = hour }: Sweep): JobHandler<unknown> =>
  scheduledJob('sweep', { every: hour }, async ({ signal }) => {
    const removeUnknown = async (keys: readonly BlobKey[]) => {
      signal.throwIfAborted()
      const known = await files.known(keys)
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
