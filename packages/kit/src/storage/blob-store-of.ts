import { type BlobStore, diskBlobStore } from '../blobs/index.js'
import type { Logger } from '../observability/index.js'
import { type S3Values, s3PlaceOf } from './s3-variables.js'

/**
 * Where the configuration wants the bytes to be: in the S3 store that it names, else in the folder. The library of S3 is loaded only where it is used.
 * @param insecureVariable the name of the variable that allows plain text, for the log
 */
export async function blobStoreOf(
  config: S3Values & { readonly folder: string },
  { log, insecureVariable }: { readonly log: Logger; readonly insecureVariable: string },
): Promise<BlobStore> {
  const place = s3PlaceOf(config)
  if (!place) return diskBlobStore(config.folder)
  if (config.s3Insecure) log.warn({ variables: [insecureVariable] }, 'connections are in plain text, as these variables allow')
  const { s3BlobStore } = await import('../s3/index.js')
  return s3BlobStore(place)
}
