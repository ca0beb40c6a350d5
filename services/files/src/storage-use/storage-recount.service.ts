import type { BlobStore } from '@caseway/kit/blobs'
import type { Id } from '@caseway/kit/caller'
import type { CountedFile, StorageUse } from './storage-use.repository.js'

/** Files that are looked for at once. */
const batch = 50

interface Parts {
  readonly use: StorageUse
  readonly blobs: Pick<BlobStore, 'sizeOf'>
}

/**
 * Counts what an office stores by the bytes that the storage has, whatever its records say, and corrects these. For an office that is closed: a file that is
 * uploaded meanwhile may be left out.
 */
export const storageRecount = ({ use, blobs }: Parts) => {
  /** Without its bytes a file stores nothing. */
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
