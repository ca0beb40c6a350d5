export { blobStoreOf } from './blob-store-of.js'
export { s3PlaceOf, s3Rule, s3Variables } from './s3-variables.js'
