import type { BlobStore } from '@caseway/kit/blobs'
import type { Part } from '@caseway/kit/lifecycle'

interface Files {
  any(): Promise<boolean>
}

/** Opens the storage. Where the database does not say whether there are files, the storage is not made: it may be away. */
export const storagePart = (blobs: BlobStore, files: Files): Part => ({
  name: 'storage',
  start: async () => blobs.open(!(await files.any().catch(() => true))),
  stop: () => undefined,
})
