import type { BlobKey, BlobStore } from '@caseway/kit/blobs'
import { type JobHandler, scheduledJob } from '@caseway/kit/jobs'

const hour = 3_600_000
/** Keys that are looked up at once. */
const batch = 500

interface Sweep {
  /** Says which of some blobs somebody may still ask for. */
  readonly messages: { known(keys: readonly BlobKey[]): Promise<ReadonlySet<BlobKey>> }
  readonly blobs: Pick<BlobStore, 'olderThan' | 'remove'>
}

/** A message is written within minutes after its bytes: those that are a day old and have none get none any more. */
const graceMs = 24 * hour

/** Removes bytes that belong to no message: of runs that broke off, of mailboxes' messages that were removed for good, and of their attachments. */
export const sweep = ({ messages, blobs }: Sweep): JobHandler<unknown> =>
  scheduledJob('sweep', { every: 6 * hour }, async ({ signal }) => {
    const removeUnknown = async (keys: readonly BlobKey[]) => {
      signal.throwIfAborted()
      const known = await messages.known(keys)
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
