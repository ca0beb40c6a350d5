export { s3BlobStore } from './s3-blob-store.js'
export type { S3Place } from './s3-place.js'
