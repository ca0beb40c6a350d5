import { type BlobStore, diskBlobStore } from '../blobs/index.js'
import { type S3Values, s3SettingsOf } from './s3-variables.js'

/** The configured blob store: in the S3 store where one is configured, otherwise in the folder. The S3 library is loaded only where it is used. */
export async function blobStoreOf(config: S3Values & { readonly folder: string }): Promise<BlobStore> {
  const settings = s3SettingsOf(config)
  if (!settings) return diskBlobStore(config.folder)
  const { s3BlobStore } = await import('../s3/index.js')
  return s3BlobStore(settings)
}
