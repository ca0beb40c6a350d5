export { s3BlobStore } from './s3-blob-store.js'
export type { S3Settings } from './s3-settings.js'
