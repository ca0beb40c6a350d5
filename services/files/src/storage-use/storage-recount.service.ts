import type { BlobStore } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import type { CountedFile, StorageUse } from './storage-use.repository.js'

/** How many files are measured concurrently. */
const batch = 50

interface Parts {
  readonly use: StorageUse
  readonly blobs: Pick<BlobStore, 'sizeOf'>
}

/**
 * Recounts the stored bytes of an office by the sizes in the storage, and corrects the sizes in its records. For a closed office, because concurrent uploads
 * may be missed.
 */
export const storageRecount = ({ use, blobs }: Parts) => {
  /** Corrects the size of a file; a lost one has 0 bytes. */
  const measure = async (customerId: Id, { id, blobKey, size }: CountedFile) => {
    const bytes = (await blobs.sizeOf(blobKey)) ?? 0
    if (bytes !== size) await use.resize(customerId, id, bytes)
  }

  return async (customerId: Id): Promise<void> => {
    for (let found = await use.filesOf(customerId, 0n, batch); found.length > 0; ) {
      await Promise.all(found.map((file) => measure(customerId, file)))
      found = await use.filesOf(customerId, found.at(-1)?.id ?? 0n, batch)
    }
    await use.recount(customerId)
  }
}
