export { type BlobKey, type BlobStore, type ByteRange, erasedKey, isBlobKey, newBlobKey } from './blob-store.js'
export { diskBlobStore } from './disk-blob-store.js'
export { storageUnavailable, stored } from './stored.js'
export { type BlobRecords, sweepBlobs } from './sweep.js'
