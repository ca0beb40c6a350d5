import { type BlobStore, diskBlobStore } from '@caseway/kit/blobs'
import type { Values } from '@caseway/kit/config'
import type { Part } from '@caseway/kit/lifecycle'
import type { Logger } from '@caseway/kit/observability'
import { s3PlaceOf, type s3Variables } from './s3-variables.js'

type StorageValues = Values<typeof s3Variables> & { readonly folder: string }

/** Where the configuration wants the bytes to be. The library of S3 is loaded only where it is used. */
export async function blobStoreOf(config: StorageValues, log: Logger): Promise<BlobStore> {
  const place = s3PlaceOf(config)
  if (!place) return diskBlobStore(config.folder)
  if (config.s3Insecure) log.warn({ variables: ['FILES_S3_INSECURE'] }, 'connections are in plain text, as these variables allow')
  const { s3BlobStore } = await import('./s3-blob-store.client.js')
  return s3BlobStore(place)
}

interface Files {
  any(): Promise<boolean>
}

/** Opens the storage. Where the database does not say whether there are files, the storage is not made: it may be away. */
export const storagePart = (blobs: BlobStore, files: Files): Part => ({
  name: 'storage',
  start: async () => blobs.open(!(await files.any().catch(() => true))),
  stop: () => undefined,
})
