import type { BlobStore } from '@caseway/kit/blobs'
import type { Part } from '@caseway/kit/lifecycle'

interface Files {
  any(): Promise<boolean>
}

/** Opens the storage. It is created only where the database answers that there are no files; otherwise a missing folder may be a disk that is not mounted. */
export const storagePart = (blobs: BlobStore, files: Files): Part => ({
  name: 'storage',
  start: async () => blobs.open(!(await files.any().catch(() => true))),
  stop: () => undefined,
})
