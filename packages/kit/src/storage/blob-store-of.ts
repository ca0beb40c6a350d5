import { type BlobStore, diskBlobStore } from '../blobs/index.js'
import { type S3Values, s3SettingsOf } from './s3-variables.js'

/** Where the configuration wants the bytes to be: in the S3 store that it names, else in the folder. The library of S3 is loaded only where it is used. */
export async function blobStoreOf(config: S3Values & { readonly folder: string }): Promise<BlobStore> {
  const settings = s3SettingsOf(config)
  if (!settings) return diskBlobStore(config.folder)
  const { s3BlobStore } = await import('../s3/index.js')
  return s3BlobStore(settings)
}
